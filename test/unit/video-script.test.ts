import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { writeScript } from '../../src/media/video/video-script.ts'
import { videoRecipe } from '../support/video-files.ts'

const fails = vi.hoisted(() => {
  let now = () => {}
  const happened = new Promise<void>(resolve => {
    now = resolve
  })
  return { now, happened }
})
vi.mock('../../src/media/files/kept-files.ts', () => ({
  writeWhole: async () => {
    fails.now()
    throw new Error('the disk is full')
  },
}))

it('a poster that cannot be written causes no unhandled rejection when a later picture fails too', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => {
    process.off('unhandledRejection', note)
  })
  const { signal } = new AbortController()
  let drawn = 0
  vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => {
    if (++drawn === 2) throw new Error('stopped')
  })
  const recipe = videoRecipe({ firstFrame: 'a1'.repeat(32), lastFrame: 'b2'.repeat(32) })
  const sources = { kept: async () => undefined, poster: 'poster.png', signal }
  const script = await writeScript(recipe, sources, Promise.resolve([]))
  const ended = await Promise.allSettled([script.grounds, script.poster])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await fails.happened
  await setImmediate()
  await setImmediate()
  expect(unhandled).toEqual([])
})
