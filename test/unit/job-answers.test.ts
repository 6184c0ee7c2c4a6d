import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../src/media/files/kept-files.ts'
import type { ExamineJob, RenderJob, WorkerJob } from '../../src/media/workers/job.ts'
import { ownFolder } from '../support/folders.ts'
import { answeredOnce, doEachJob, oneVideoForAll } from '../support/job-answers.ts'
import { slowFfmpeg } from '../support/pool-jobs.ts'
import { videoRecipe } from '../support/video-files.ts'

const home = ownFolder('job-answers')

let folders = 0
let kept = ''
beforeEach(async () => {
  kept = join(home, `${++folders}`)
  await mkdir(kept)
})

let works = 0
/** A rendering of its own: no other test of the run has this seed and this text. */
const job = (differences: Partial<RenderJob> = {}): RenderJob => ({
  ...{ kind: 'render', recipe: videoRecipe({ firstFrame: 'a1', seed: folders }), kept },
  ...{ file: join(kept, `${++works}.mp4`), ffmpeg: slowFfmpeg(home) },
  ...differences,
})

/** Whether a job is done, which writes a new text into its file. */
async function isDone(asked: RenderJob): Promise<boolean> {
  const text = `made ${++works}`
  await answeredOnce(asked, async () => {
    await writeFile(asked.file, text)
    if (asked.poster) await writeFile(asked.poster, 'small')
    return null
  })
  return (await readFile(asked.file, 'utf8')) === text
}

it('the same job is done once, and gives all files each time', async () => {
  await writeFile(join(kept, 'a1'), 'a picture')
  const [first, second] = ['first', 'second'].map(name => job({ poster: join(kept, name) }))
  expect([await isDone(first as RenderJob), await isDone(second as RenderJob)]).toEqual([true, false])
  expect(await readFile(join(kept, 'second'), 'utf8')).toBe('small')
})

it('another recipe, another ffmpeg, another picture and a picture that is gone make another job', async () => {
  await writeFile(join(kept, 'a1'), 'a picture')
  expect(await isDone(job())).toBe(true)
  expect(await isDone(job())).toBe(false)
  expect(await isDone(job({ recipe: videoRecipe({ firstFrame: 'a1', seed: folders, frames: 7 }) }))).toBe(
    true,
  )
  expect(await isDone(job({ ffmpeg: slowFfmpeg(join(home, 'other')) }))).toBe(true)
  expect(await isDone(job({ poster: join(kept, 'poster') }))).toBe(true)
  await writeFile(join(kept, 'a1'), 'another picture')
  expect(await isDone(job())).toBe(true)
  await rm(join(kept, 'a1'))
  expect(await isDone(job())).toBe(true)
})

it('a job that failed is done again, and its error reaches the caller', async () => {
  const failed = answeredOnce(job(), () => Promise.reject(new Error('no room on the disk')))
  await expect(failed).rejects.toThrow('no room on the disk')
  expect(await isDone(job())).toBe(true)
})

it('an input that was examined gives its kept files again', async () => {
  const file = join(kept, 'input')
  const poster = Buffer.from(`poster ${home}`)
  await writeFile(file, `input ${home}`)
  const asked: ExamineJob = { kind: 'examine', file, digest: digestOf(poster), want: 'video', kept }
  const kindOf = (examined: unknown) => (examined as { poster: { digest: string } }).poster.digest
  const work = async () => {
    await writeFile(join(kept, digestOf(poster)), poster)
    return { measured: {}, poster: { digest: digestOf(poster), bytes: poster.length } }
  }
  await answeredOnce(asked as WorkerJob, work)
  await rm(join(kept, digestOf(poster)))
  const again = await answeredOnce(asked as WorkerJob, () => Promise.reject(new Error('done twice')))
  expect(kindOf(again)).toBe(digestOf(poster))
  expect(await readFile(join(kept, digestOf(poster)))).toEqual(poster)
})

describe('a file of tests that needs any video', () => {
  oneVideoForAll()

  it('has one for all its recipes, and pictures as they are asked for', async () => {
    await isDone(job())
    expect(await isDone(job({ recipe: videoRecipe({ seed: 2, frames: 9 }) }))).toBe(false)
    const ofFrame = { kind: 'last_frame', of: videoRecipe({ seed: folders }) } as const
    expect(await isDone(job({ recipe: ofFrame }))).toBe(true)
  })
})

describe('a file of tests that compares renderings', () => {
  doEachJob()

  it('has each of its jobs done', async () => {
    expect([await isDone(job()), await isDone(job())]).toEqual([true, true])
  })
})
