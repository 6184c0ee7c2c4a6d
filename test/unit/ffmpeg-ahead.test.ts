import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createFfmpegAhead, type FfmpegAhead } from '../../src/media/render/ffmpeg.ts'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import { findFfmpeg, type Tool } from '../../src/media/render/tools.ts'
import { createWorkerPool } from '../../src/media/workers/pool.ts'
import { startBuiltWorker } from '../support/built-worker.ts'
import { ownFolder } from '../support/folders.ts'
import { isAlive, noneIsLeft, within } from '../support/left-processes.ts'
import { countedProgram, pictureRecipe } from '../support/pool-jobs.ts'
import { videoRecipe } from '../support/video-files.ts'

const folder = ownFolder('ffmpeg-ahead')

const opened: FfmpegAhead[] = []
const openAhead = (): FfmpegAhead => {
  const ahead = createFfmpegAhead()
  opened.push(ahead)
  return ahead
}
afterEach(() => {
  for (const ahead of opened.splice(0)) ahead.end()
})

/** The real ffmpeg, and the processes that ran it. */
async function countedFfmpeg(): Promise<{ tool: Tool; runs(): number[] }> {
  const real = await findFfmpeg()
  const { path, runs } = countedProgram(folder, `exec '${real.path}' "$@"`)
  return { tool: { ...real, path }, runs }
}

const kept = async () => undefined
let files = 0
const freshPath = (ending: string) => join(folder, `file-${++files}.${ending}`)

async function rendered(recipe: VideoRecipe, ffmpeg: Tool, ahead?: FfmpegAhead): Promise<Buffer> {
  const file = freshPath('mp4')
  await renderVideo(recipe, { kept, ffmpeg, ...(ahead && { run: ahead.run }) }, file)
  return readFileSync(file)
}

/** A first video, and the ffmpeg that was started after it. */
async function withOneWaiting() {
  const { tool, runs } = await countedFfmpeg()
  const ahead = openAhead()
  await rendered(videoRecipe(), tool, ahead)
  ahead.startNext()
  await expect.poll(() => runs().filter(isAlive), within).toHaveLength(1)
  const [waiting = 0] = runs().filter(isAlive)
  return { tool, runs, ahead, waiting }
}

describe('an ffmpeg that was started ahead', () => {
  it('codes the next video of the same size into the same bytes', async () => {
    const { tool, runs, ahead, waiting } = await withOneWaiting()
    const next = videoRecipe({ seed: 8, frames: 40 })
    const bytes = await rendered(next, tool, ahead)
    expect(runs()).toHaveLength(2)
    expect(isAlive(waiting)).toBe(false)
    expect(bytes.equals(await rendered(next, await findFfmpeg()))).toBe(true)
  })

  it.each([
    ['size', { width: 640, height: 360 }],
    ['frame rate', { fps: 30 }],
  ])('ends when the next video has another %s', async (_, difference) => {
    const { tool, runs, ahead, waiting } = await withOneWaiting()
    const bytes = await rendered(videoRecipe(difference), tool, ahead)
    await noneIsLeft([waiting])
    expect(runs()).toHaveLength(3)
    expect(bytes.equals(await rendered(videoRecipe(difference), await findFfmpeg()))).toBe(true)
  })

  it('is replaced when it ended while it waited', async () => {
    const { tool, runs, ahead, waiting } = await withOneWaiting()
    process.kill(waiting, 'SIGKILL')
    // Before this process notices it, and a second time after it did.
    const bytes = await rendered(videoRecipe({ seed: 9 }), tool, ahead)
    expect(bytes.equals(await rendered(videoRecipe({ seed: 9 }), await findFfmpeg()))).toBe(true)
    ahead.startNext()
    await expect.poll(() => runs().filter(isAlive), within).toHaveLength(1)
    const second = runs().filter(isAlive)
    process.kill(second[0] ?? 0, 'SIGKILL')
    await noneIsLeft(second)
    expect((await rendered(videoRecipe({ seed: 9 }), tool, ahead)).equals(bytes)).toBe(true)
  })

  it('ends when the rendering that uses it is aborted', async () => {
    const { tool, runs, ahead } = await withOneWaiting()
    const stop = new AbortController()
    const file = freshPath('mp4')
    const sources = { kept, ffmpeg: tool, run: ahead.run, signal: stop.signal }
    const stopped = expect(renderVideo(videoRecipe({ frames: 240 }), sources, file)).rejects.toThrow('gone')
    stop.abort(new Error('gone'))
    await stopped
    ahead.end()
    await noneIsLeft(runs())
  })

  it('is one at a time, and none is started before the first video', async () => {
    const { tool, runs } = await countedFfmpeg()
    const ahead = openAhead()
    ahead.startNext()
    await rendered(videoRecipe(), tool, ahead)
    expect(runs()).toHaveLength(1)
    ahead.startNext()
    ahead.startNext()
    await rendered(videoRecipe(), tool, ahead)
    expect(runs()).toHaveLength(2)
  })
})

it('no ffmpeg is started ahead after a 4k video, because a start delays polls while every core renders', async () => {
  const { tool, runs } = await countedFfmpeg()
  const ahead = openAhead()
  await rendered(videoRecipe({ width: 3840, height: 2160, frames: 2 }), tool, ahead)
  ahead.startNext()
  // Until this one has ended, the other would have begun.
  await rendered(videoRecipe(), tool)
  expect(runs()).toHaveLength(2)
})

describe('a worker', () => {
  const job = (recipe: VideoRecipe, ffmpeg: Tool) => ({
    ...{ kind: 'render' as const, recipe, file: freshPath('mp4'), kept: folder },
    ffmpeg,
  })

  /** The counted runs after a video that a worker has made; the last one waits. */
  const oneWaits = (runs: () => number[]) => expect.poll(() => runs().filter(isAlive), within).toHaveLength(1)

  it('starts ffmpeg ahead after a video, keeps it during a picture, and uses it for the next video', async () => {
    const { tool, runs } = await countedFfmpeg()
    const pool = createWorkerPool({ renders: 1, start: startBuiltWorker })
    await pool.run(job(videoRecipe(), tool))
    await oneWaits(runs)
    await pool.run({ kind: 'render', recipe: pictureRecipe(), file: freshPath('png'), kept: folder })
    await pool.run(job(videoRecipe({ seed: 8 }), tool))
    await oneWaits(runs)
    expect(runs()).toHaveLength(3)
    await pool.close()
    await noneIsLeft(runs())
  })

  it.each([
    ['is idle for long', 1, () => undefined],
    [
      'is killed (kill -9)',
      60_000,
      (pids: readonly number[]) => pids.forEach(pid => void process.kill(pid, 9)),
    ],
  ])('leaves no ffmpeg when it %s', async (_, idleMs, end) => {
    const { tool, runs } = await countedFfmpeg()
    const pool = createWorkerPool({ renders: 1, idleMs, start: startBuiltWorker })
    await pool.run(job(videoRecipe(), tool))
    if (idleMs > 1) await oneWaits(runs)
    end(pool.pids())
    await expect.poll(() => pool.pids(), within).toEqual([])
    await noneIsLeft(runs())
    await pool.close()
  })
})
