import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, type KeptFile } from '../files/kept-files.ts'
import type { runFfmpeg } from '../render/ffmpeg.ts'
import type { Digest } from '../render/recipe.ts'
import type { ExamineJob, RenderJob, Results, ShrinkJob, TakeApartJob, WorkerJob } from './job.ts'

/**
 * Does a job in this process. The code for a kind of job is loaded with its first job. `run` runs ffmpeg for the pictures of a
 * video in place of runFfmpeg.
 */
export function perform(job: WorkerJob, run?: typeof runFfmpeg): Promise<Results[WorkerJob['kind']]> {
  switch (job.kind) {
    case 'render':
      return render(job, run)
    case 'shrink':
      return shrink(job)
    case 'take_apart':
      return takeApart(job)
    case 'examine':
      return examineFile(job)
  }
}

async function render(
  { recipe, file, poster, kept, ffmpeg }: RenderJob,
  run: typeof runFfmpeg | undefined,
): Promise<Results['render']> {
  const { renderRecipe } = await import('../render/render-recipe.ts')
  const sources = {
    kept: readerOf(kept),
    ...(ffmpeg && { ffmpeg }),
    ...(poster && { poster }),
    ...(run && { run }),
  }
  await renderRecipe(recipe, sources, file)
  return null
}

async function shrink({ from, file }: ShrinkJob): Promise<Results['shrink']> {
  const [{ shrinkPicture }, { writeWhole }] = await Promise.all([
    import('../render/posters.ts'),
    import('../files/kept-files.ts'),
  ])
  await writeWhole(file, await shrinkPicture(from))
  return null
}

async function takeApart({ input, order, kept }: TakeApartJob): Promise<Results['take_apart']> {
  const [{ decompose }, { openInput }] = await Promise.all([
    import('../layers/decompose.ts'),
    import('../images/input-picture.ts'),
  ])
  const picture = await openInput(input, { kept: readerOf(kept) })
  const { base, layers } = await decompose(picture.open, order)
  const found: Results['take_apart'] = { base: await keep(kept, base), layers: [] }
  for (const { png, ...layer } of layers) found.layers.push({ ...layer, file: await keep(kept, png) })
  return found
}

async function examineFile({ kept, ...job }: ExamineJob): Promise<Results['examine']> {
  const { examine } = await import('../inputs/examine.ts')
  const { poster, lastPoster, sound, measured } = await examine({ ...job, bytes: await readFile(job.file) })
  return {
    measured,
    ...(poster && { poster: await keep(kept, poster) }),
    ...(lastPoster && { lastPoster: await keep(kept, lastPoster) }),
    ...(sound && { sound: await keep(kept, sound) }),
  }
}

function readerOf(folder: string): (digest: Digest) => Promise<Buffer | undefined> {
  return digest =>
    readFile(join(folder, digest)).catch(() => {
      // The folder was cleaned, or the file was removed to make room: renderings do without it.
      return undefined
    })
}

/** Puts a file into the folder under its digest. It appears only when it is complete. */
async function keep(folder: string, bytes: Buffer): Promise<KeptFile> {
  const { writeWhole } = await import('../files/kept-files.ts')
  const digest = digestOf(bytes)
  await writeWhole(join(folder, digest), bytes)
  return { digest, bytes: bytes.length }
}
