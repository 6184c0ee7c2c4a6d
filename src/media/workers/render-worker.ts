import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { digestOf, type KeptFile } from '../files/kept-files.ts'
import { GivenUp, isShortage } from '../inputs/errors.ts'
import { createFfmpegAhead, type runFfmpeg } from '../render/ffmpeg.ts'
import type { Digest } from '../render/recipe.ts'
import type {
  ExamineJob,
  RenderJob,
  Results,
  ShrinkJob,
  TakeApartJob,
  WorkerAnswer,
  WorkerJob,
} from './job.ts'
import { isSpent } from './processor-time.ts'

// The V8 of Node 20 optimizes a function after it has run for so long; the default is a fifteenth of that. Few functions of a worker
// run long enough to pay for it: the first six videos take a sixth less processor time. Later ones wait longer by themselves.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=1000000')

const ahead = createFfmpegAhead()

/** The worker's side of worker.ts: one job, one answer. ffmpeg for the next job starts after the answer was sent. */
process.on('message', async (job: WorkerJob) => {
  const answer = await answerTo(job)
  process.send?.(answer, () => ahead.startNext())
})

// The channel closes when the server has ended, in any way. The processes that this worker started end with it.
process.on('disconnect', () => {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(0) // Windows knows no process groups.
  }
})

async function answerTo(job: WorkerJob): Promise<WorkerAnswer> {
  try {
    return { kind: 'done', result: await perform(job, ahead.run) }
  } catch (thrown) {
    const error = asGivenUp(thrown instanceof Error ? thrown : new Error(String(thrown)))
    const { name, message, stack } = error
    const reason = 'reason' in error ? String(error.reason) : undefined
    const code = 'code' in error ? String(error.code) : undefined
    const known = { ...(stack && { stack }), ...(reason !== undefined && { reason }), ...(code && { code }) }
    return { kind: 'failed', name, message, ...known, isSpent: isSpent() }
  }
}

/** What the machine is short of is not a fault of the work. */
function asGivenUp(error: Error): Error {
  return isShortage(error) ? new GivenUp(error.message) : error
}

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
  { recipe, file, kept, ffmpeg, poster }: RenderJob,
  run: typeof runFfmpeg | undefined,
): Promise<Results['render']> {
  const { renderRecipe } = await import('../render/render-recipe.ts')
  await renderRecipe(recipe, { kept: readerOf(kept), ffmpeg, poster, run }, file)
  return null
}

async function shrink({ from, file }: ShrinkJob): Promise<Results['shrink']> {
  const [{ shrinkPicture }, { writeWhole }] = await Promise.all([
    import('../render/pixels.ts'),
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
  const { examine, withFiles } = await import('../inputs/examine.ts')
  const examined = await examine({ ...job, bytes: await readFile(job.file) })
  return await withFiles(examined, file => keep(kept, file))
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
