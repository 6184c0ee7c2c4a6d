import { createHash } from 'node:crypto'
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, inject } from 'vitest'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { type Digest, keptFilesOf, type VideoRecipe } from '../../src/media/render/recipe.ts'
import type { ExamineJob, RenderJob, Results, TakeApartJob, WorkerJob } from '../../src/media/workers/job.ts'
import './program-setup.ts'

type KnownJob = RenderJob | TakeApartJob | ExamineJob
type Result = Results[KnownJob['kind']]

/** A file that a job makes: its path, and its name among the answers. */
interface Made {
  path: string
  name: string
}

/** Which jobs of a file of tests are the same: equal ones, none, or equal ones and all videos. */
type Sameness = 'equal' | 'never' | 'any video' | 'short video'

/**
 * By file of tests. Files share a process, and vitest leaves out the hooks that follow one that fails: what a hook would set back stayed
 * for the next files.
 */
const samenesses = new Map<string | undefined, Sameness>()
const fileOfTest = () => expect.getState().testPath

/**
 * For a file of tests that compare two renderings, or that look at how one is made: each of its jobs is done, also when the answer
 * is known.
 */
export function doEachJob(): void {
  duringFile('never')
}

/**
 * For a file of tests that need a file behind the link of a task, and do not look at its pictures, sound, size or length: all its
 * videos are two small frames. A test that does look finds them, and fails.
 */
export function oneVideoForAll(): void {
  duringFile('any video')
}

/**
 * For a file of tests that need the file of every recipe: each video is made from its own recipe, with two frames and small sides. A
 * recipe that cannot be rendered fails as it would otherwise.
 */
export function shortVideos(): void {
  duringFile('short video')
}

function duringFile(wanted: Sameness): void {
  beforeAll(() => {
    samenesses.set(fileOfTest(), wanted)
  })
}

/**
 * Does a job once in a run of the tests, in whichever process of the run it comes first. Later the same job gets a copy of the same
 * files: hundreds of tests only need a file, and a job takes 20 to 1500 ms of processor time.
 *
 * What makes a job "the same" is all that its result can depend on: the whole recipe or order, the ffmpeg, and the bytes of the
 * pictures and sounds that it reads, or that one of them is gone. A run has one build, so the build is not part of it.
 * Only what succeeded is known. A job with another ffmpeg (a slow one, a broken one) is another job.
 * Not known at all are: small jobs (`shrink`, and pictures that are copied), the jobs of pools that tests open themselves, those of
 * other programs, and those of files that call doEachJob.
 */
export async function answeredOnce<R>(asked: WorkerJob, work: (job: WorkerJob) => Promise<R>): Promise<R> {
  const sameness = samenesses.get(fileOfTest()) ?? 'equal'
  const job = cheaper(asked, sameness)
  const known = sameness === 'never' ? undefined : await keyOf(job)
  if (!known) return await work(job)
  const { key, job: same } = known
  const answer = join(inject('answers'), `${key}.json`)
  const text = await readFile(answer, 'utf8').catch(unlessMissing)
  if (text !== undefined) {
    const result = JSON.parse(text) as Result
    for (const { path, name } of madeBy(same, result, key))
      await appears(path, part => copyFile(inAnswers(name), part))
    return result as R
  }
  const result = await work(job)
  for (const { path, name } of madeBy(same, result as Result, key))
    await appears(inAnswers(name), part => copyFile(path, part))
  await appears(answer, part => writeFile(part, JSON.stringify(result)))
  return result
}

const smallVideo: VideoRecipe = {
  ...{ kind: 'video', width: 128, height: 128, frames: 2, fps: 24, container: 'mp4', codec: 'h264' },
  ...{ audio: 'none', mark: false, seed: 1, prompt: 'a boat', caption: { title: 'a task', facts: [] } },
}

/** The job as a file of tests needs it done. */
function cheaper(job: WorkerJob, sameness: Sameness): WorkerJob {
  if (job.kind !== 'render' || job.recipe.kind !== 'video') return job
  const { container, codec, width, height, frames } = job.recipe
  if (sameness === 'any video') return { ...job, recipe: { ...smallVideo, container, codec } }
  if (sameness !== 'short video') return job
  const small = (side: number) => Math.max(128, 2 * Math.round(side / 16))
  const size = { width: small(width), height: small(height), frames: Math.min(frames, 2) }
  return { ...job, recipe: { ...job.recipe, ...size } }
}

/** Undefined for a job that is done each time. */
async function keyOf(job: WorkerJob): Promise<{ key: string; job: KnownJob } | undefined> {
  const parts = await partsOf(job)
  if (!parts) return undefined
  return { job: job as KnownJob, key: createHash('sha256').update(JSON.stringify(parts)).digest('hex') }
}

/** All that the result of a job depends on. */
async function partsOf(job: WorkerJob): Promise<unknown[] | undefined> {
  switch (job.kind) {
    case 'render': {
      const { kind, recipe, ffmpeg, poster, kept } = job
      if (recipe.kind === 'kept') return undefined
      return [kind, recipe, ffmpeg, poster !== undefined, await bytesOf(kept, keptFilesOf(recipe))]
    }
    case 'take_apart': {
      const { kind, input, order, kept } = job
      return [kind, input, order, await bytesOf(kept, input.picture === undefined ? [] : [input.picture])]
    }
    case 'examine': {
      const { kind, file, digest, want, keepSound, ffmpeg } = job
      return [kind, digest, want, keepSound, ffmpeg, digestOf(await readFile(file))]
    }
    case 'shrink':
      return undefined
  }
}

/** Digests of the bytes that are in the folder; null for a file that is gone. */
function bytesOf(kept: string, names: readonly Digest[]): Promise<(Digest | null)[]> {
  return Promise.all(
    names.map(async name => {
      const bytes = await readFile(join(kept, name)).catch(unlessMissing)
      return bytes === undefined ? null : digestOf(bytes)
    }),
  )
}

function madeBy(job: KnownJob, result: Result, key: string): Made[] {
  if (job.kind === 'render') {
    const poster = job.poster === undefined ? [] : [{ path: job.poster, name: `${key}.poster` }]
    return [{ path: job.file, name: `${key}.file` }, ...poster]
  }
  return digestsIn(result).map(digest => ({ path: join(job.kept, digest), name: digest }))
}

function digestsIn(result: Result): Digest[] {
  if (result === null) return []
  const files =
    'base' in result
      ? [result.base, ...result.layers.map(({ file }) => file)]
      : [result.poster, result.lastPoster, result.sound]
  return files.flatMap(file => file?.digest ?? [])
}

function inAnswers(name: string): string {
  return join(inject('answers'), name)
}

let parts = 0

/** Makes a file, which appears only when it is complete. */
async function appears(path: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.${process.pid}.again-${++parts}.part`
  await make(part)
  await rename(part, path)
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
