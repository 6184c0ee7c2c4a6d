import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile } from '../../worlds/data/moved-file.ts'
import { digestOf } from '../digest-of.ts'
import type { Digest } from '../recipe.ts'
import type { ExamineJob, Job, KeptFile, RenderJob, Results, TakeApartJob } from './job.ts'

/** Does a job in this process. What each kind needs is loaded when the first job of that kind comes. */
export function perform(job: Job): Promise<Results[Job['kind']]> {
  switch (job.kind) {
    case 'render':
      return render(job)
    case 'take_apart':
      return takeApart(job)
    case 'examine':
      return examineFile(job)
  }
}

async function render({ recipe, file, pictures, ffmpeg }: RenderJob): Promise<Results['render']> {
  const { renderRecipe } = await import('../render-recipe.ts')
  await renderRecipe(recipe, { picture: pictureIn(pictures), ...(ffmpeg && { ffmpeg }) }, file)
  return null
}

async function takeApart({ input, order, pictures }: TakeApartJob): Promise<Results['take_apart']> {
  const [{ decompose }, { openInput }] = await Promise.all([
    import('../layers/decompose.ts'),
    import('../images/input-picture.ts'),
  ])
  const picture = await openInput(input, { picture: pictureIn(pictures) })
  const { base, layers } = await decompose(picture.open, order)
  const found: Results['take_apart'] = { base: await keep(pictures, base), layers: [] }
  for (const { png, ...layer } of layers) found.layers.push({ ...layer, file: await keep(pictures, png) })
  return found
}

async function examineFile({
  file,
  digest,
  want,
  pictures,
  keepSound,
  ffmpeg,
}: ExamineJob): Promise<Results['examine']> {
  const { examine } = await import('../inputs/examine.ts')
  const bytes = await readFile(file)
  const { poster, lastPoster, sound, measured } = await examine({
    bytes,
    digest,
    file,
    want,
    ...(keepSound && { keepSound }),
    ...(ffmpeg && { ffmpeg }),
  })
  return {
    measured,
    ...(poster && { poster: await keep(pictures, poster) }),
    ...(lastPoster && { lastPoster: await keep(pictures, lastPoster) }),
    ...(sound && { sound: await keep(pictures, sound) }),
  }
}

function pictureIn(folder: string): (digest: Digest) => Promise<Buffer | undefined> {
  return digest =>
    readFile(join(folder, digest)).catch(() => {
      // Gone with a cleaned folder, or taken away for room: renderings do without it.
      return undefined
    })
}

/** A number for the names of unfinished files, unique in this process. */
let parts = 0

/** Puts a picture into the folder under its digest; it appears there whole or not at all. */
async function keep(folder: string, bytes: Buffer): Promise<KeptFile> {
  const digest = digestOf(bytes)
  const part = join(folder, `${digest}.${process.pid}.${++parts}.part`)
  await writeFile(part, bytes)
  await moveFile(part, join(folder, digest))
  return { digest, bytes: bytes.length }
}
