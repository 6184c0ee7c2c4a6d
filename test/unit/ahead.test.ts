import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLibrary } from '../../src/media/files/library.ts'
import { createAhead, type Demand, demanded } from '../../src/media/render/ahead.ts'
import type { Recipe } from '../../src/media/render/recipe.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { ownFolder } from '../support/folders.ts'
import { poolThat } from '../support/pool-jobs.ts'
import { videoRecipe } from '../support/video-files.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Renders that last until the test ends them, and the seeds of the started ones. */
function notedRenders() {
  const started: number[] = []
  const ends: (() => void)[] = []
  const render = (recipe: Recipe) => {
    if (recipe.kind === 'video') started.push(recipe.seed)
    return new Promise<void>(resolve => ends.push(resolve))
  }
  return { started, render, endOne: () => ends.shift()?.() }
}

const recipe = (seed: number) => () => videoRecipe({ seed })

it('renders one file after another, in order, each when the server has been idle for a moment', async () => {
  const { started, render, endOne } = notedRenders()
  const ahead = createAhead(render)
  ahead.add(recipe(1))
  await vi.advanceTimersByTimeAsync(39)
  ahead.add(recipe(2))
  await vi.advanceTimersByTimeAsync(39)
  expect(started).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual([1])
  await vi.advanceTimersByTimeAsync(1000)
  expect(started).toEqual([1])
  endOne()
  await vi.advanceTimersByTimeAsync(40)
  expect(started).toEqual([1, 2])
})

it('drops the oldest file when more than 64 wait', async () => {
  const { started, render } = notedRenders()
  const ahead = createAhead(render)
  for (let seed = 1; seed <= 66; seed++) ahead.add(recipe(seed))
  await vi.advanceTimersByTimeAsync(40)
  expect(started).toEqual([3])
})

it('starts no rendering after it was stopped', async () => {
  const { started, render, endOne } = notedRenders()
  const ahead = createAhead(render)
  ahead.add(recipe(1))
  ahead.add(recipe(2))
  await vi.advanceTimersByTimeAsync(40)
  ahead.stop()
  endOne()
  await vi.advanceTimersByTimeAsync(1000)
  expect(started).toEqual([1])
})

it('a file that was begun ahead has a demand as soon as a request waits for it, and not before', async () => {
  vi.useRealTimers()
  const dir = ownFolder('ahead')
  const demands: Demand[] = []
  const failing = new Error('this pool makes nothing')
  let fail: (error: Error) => void = () => undefined
  const pool = poolThat(
    (_job, _signal, demand = demanded) => {
      demands.push(demand)
      return new Promise((_, reject) => {
        fail = reject
      })
    },
    async () => fail(failing),
  )
  const library = createLibrary({ dir, maxBytes: 1e9, pool, findFfmpeg: () => findFfmpeg() })
  library.ahead(recipe(1))
  await expect.poll(() => demands.map(demand => demand.isThere())).toEqual([false])
  const asked = expect(library.file(recipe(1)())).rejects.toBe(failing)
  await expect.poll(() => demands.map(demand => demand.isThere())).toEqual([true])
  await library.close()
  await asked
})
