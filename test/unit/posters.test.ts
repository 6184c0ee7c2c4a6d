import { readFile, rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createLibrary, type Library } from '../../src/media/files/library.ts'
import { type PosterRecipe, posterOf, type Recipe } from '../../src/media/render/recipe.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { createWorkerPool, type WorkerPool } from '../../src/media/workers/pool.ts'
import { startBuiltWorker } from '../support/built-worker.ts'
import { ownFolder } from '../support/folders.ts'
import { pictureRecipe } from '../support/pool-jobs.ts'
import { distance, frameAt, videoRecipe } from '../support/video-files.ts'

const folder = ownFolder('posters')
const pool = createWorkerPool({ start: startBuiltWorker })
const jobs: string[] = []
/** What happens when the next job begins. */
let onJob: (() => Promise<void>) | undefined
/** Notes each job before it is done. */
const noting: WorkerPool = {
  ...pool,
  run: async (job, signal) => {
    jobs.push(job.kind)
    const happens = onJob
    onJob = undefined
    await happens?.()
    return pool.run(job, signal)
  },
}
const library: Library = createLibrary({
  dir: folder,
  maxBytes: 1e9,
  pool: noting,
  findFfmpeg: () => findFfmpeg(),
})
afterAll(() => library.close())

/** Which jobs the workers do for this file. */
async function jobsFor(recipe: Recipe): Promise<{ kinds: string[]; file: string }> {
  const before = jobs.length
  const file = await library.file(recipe)
  return { kinds: jobs.slice(before), file }
}

const ofVideo = (seed: number, size = {}): PosterRecipe => ({
  kind: 'poster',
  of: videoRecipe({ seed, ...size }),
})

it('a video and its poster need one rendering', async () => {
  const poster = ofVideo(1)
  expect((await jobsFor(poster.of)).kinds).toEqual(['render'])
  const { kinds, file } = await jobsFor(poster)
  expect(kinds).toEqual([])
  expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 320, height: 181 })
})

it('a poster that is requested before its video needs no rendering of its own', async () => {
  const poster = ofVideo(2)
  expect((await jobsFor(poster)).kinds).toEqual(['render'])
  expect((await jobsFor(poster.of)).kinds).toEqual([])
})

it('a poster that was removed from the cache is made again with its video', async () => {
  const poster = ofVideo(3)
  const { file } = await jobsFor(poster)
  await rm(file)
  expect((await jobsFor(poster)).kinds).toEqual(['render'])
  expect((await readFile(file)).length).toBeGreaterThan(1000)
})

it('a video that is requested while its poster is made again is rendered once', async () => {
  const poster = ofVideo(6)
  const video = await library.file(poster.of)
  const { file } = await jobsFor(poster)
  await rm(file)
  let second: Promise<string> | undefined
  onJob = async () => {
    await rm(video)
    second = library.file(poster.of)
  }
  expect((await jobsFor(poster)).kinds).toEqual(['render'])
  expect(await second).toBe(video)
  expect((await readFile(video)).length).toBeGreaterThan(1000)
})

it.each([
  ['a drawn scene', {}],
  ['a scene without a sky', { prompt: 'a product shot' }],
  ['a given first frame', { firstFrame: 'a1'.repeat(32) }],
  ['a given last frame', { lastFrame: 'b2'.repeat(32) }],
  ['given pictures and references', { lastFrame: 'b2'.repeat(32), references: ['c3'.repeat(32)] }],
  // The level of the first frame is in it too.
  ['a level bar', { audio: 'mono', levelBar: true, lastFrame: 'b2'.repeat(32) }],
] as const)('a poster shows the first picture of a video with %s, as it is shown', async (_, parts) => {
  const poster = ofVideo(4, { width: 272, height: 480, mark: true, ...parts })
  const { file } = await jobsFor(poster)
  const size = { width: 181, height: 320 }
  const raw = { width: 272, height: 480, channels: 3 } as const
  const frame = sharp(await frameAt(await library.file(poster.of), 0), { raw }).resize({
    ...size,
    fit: 'fill',
  })
  const [drawn, decoded] = await Promise.all([
    sharp(file).raw().toBuffer({ resolveWithObject: true }),
    frame.raw().toBuffer(),
  ])
  expect(drawn.info).toMatchObject(size)
  expect(distance(drawn.data, decoded, size.width)).toBeLessThan(6)
})

it('a poster of a picture is made from its file, without a second rendering', async () => {
  const recipe = pictureRecipe({ width: 640, height: 320, format: 'jpeg', prompt: 'a house' })
  expect((await jobsFor(recipe)).kinds).toEqual(['render'])
  const { kinds, file } = await jobsFor({ kind: 'poster', of: recipe })
  expect(kinds).toEqual(['shrink'])
  expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 320, height: 160 })
})

it('the first picture or video has a poster; a sound has none', () => {
  const sound = { kind: 'sound', format: 'mp3', seconds: 1, seed: 1 } as const
  expect(posterOf([sound, videoRecipe()])).toEqual({ kind: 'poster', of: videoRecipe() })
  expect(posterOf([sound])).toBeUndefined()
  expect(posterOf([])).toBeUndefined()
})
