import { PassThrough, Readable } from 'node:stream'
import type { FfmpegCommand } from 'fluent-ffmpeg'

export interface FfmpegRun {
  /** Path of the program. */
  ffmpeg: string
  /** The beginning of its input, which is known before the rest. Runs with equal options have heads of equal content. */
  head?: Uint8Array
  /** The data for its standard input, in pieces that are read on demand. */
  input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** As in a shell, without quotes. */
  inputOptions: string
  outputOptions: string
  signal?: AbortSignal | undefined
}

/**
 * Runs ffmpeg from standard input to standard output and returns its output.
 * Only this file uses fluent-ffmpeg.
 * @throws the signal's reason when aborted (the child is killed); the end of ffmpeg's error output when it fails.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<Buffer> {
  const { default: fluent } = await import('fluent-ffmpeg')
  run.signal?.throwIfAborted()
  const source = Readable.from(inputOf(run), { objectMode: false, highWaterMark: 1 << 20 })
  const command = fluent(source).setFfmpegPath(run.ffmpeg)
  // Without this the library first runs the program twice to list its abilities, which are known (tools.ts).
  Object.assign(command, {
    availableFormats: (answer: (error: null, formats: object) => void) => answer(null, knownFormats),
    availableEncoders: (answer: (error: null, encoders: object) => void) => answer(null, {}),
  })
  command.inputOptions(...run.inputOptions.split(' ')).outputOptions(...run.outputOptions.split(' '))
  return await collect(command, source, run.signal)
}

async function* inputOf({ head, input }: FfmpegRun): AsyncGenerator<Uint8Array> {
  if (head) yield head
  yield* input
}

/** Raw and elementary streams, which every ffmpeg reads and writes. */
const knownFormats = Object.fromEntries(
  ['rawvideo', 's16le', 'h264', 'hevc', 'aac', 'adts', 'mp3'].map(name => [
    name,
    { description: name, canDemux: true, canMux: true },
  ]),
)

function collect(command: FfmpegCommand, source: Readable, signal: AbortSignal | undefined): Promise<Buffer> {
  // If the stream closed, fluent-ffmpeg would report a failure when the child takes more than 20 ms to end.
  const output = new PassThrough({ autoDestroy: false, emitClose: false })
  const chunks: Buffer[] = []
  output.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    const abort = (): void => void command.kill('SIGKILL')
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', abort)
      source.destroy()
      finish()
    }
    let sourceError: Error | undefined
    source.on('error', error => {
      sourceError = error
      abort()
    })
    command.on('start', () => (signal?.aborted || sourceError ? abort() : undefined))
    command.on('error', (error: Error) =>
      settle(() => reject(sourceError ?? (signal?.aborted ? signal.reason : error))),
    )
    command.on('end', () => settle(() => resolve(Buffer.concat(chunks))))
    signal?.addEventListener('abort', abort, { once: true })
    command.pipe(output, { end: true })
  })
}

export type FfmpegAhead = ReturnType<typeof createFfmpegAhead>

/**
 * The largest pictures for which ffmpeg is started ahead, in bytes of the head. Larger videos take so long that the start matters
 * little, and each start delays the replies of the server while every core renders: with 4k videos, the slowest of a hundred polls
 * took 10 ms instead of 7.
 */
const largestHead = 450_000

/**
 * Runs ffmpeg, and can start it before its input is known. Starting ffmpeg and opening its codec takes a third of the time of a
 * small video. At most one ffmpeg waits; nothing is started before the first run.
 */
export function createFfmpegAhead() {
  let last: FfmpegRun | undefined
  let waiting: Waiting | undefined

  const take = (run: FfmpegRun): Waiting | undefined => {
    const taken = waiting
    waiting = undefined
    if (taken?.options === optionsOf(run)) return taken
    taken?.end()
    return undefined
  }

  return {
    /** Like runFfmpeg, and with the ffmpeg that waits when it has the same options. The input must allow a second reading. */
    async run(run: FfmpegRun): Promise<Buffer> {
      last = (run.head?.length ?? 0) > largestHead ? undefined : { ...run, input: [], signal: undefined }
      const started = take(run)
      try {
        if (started) return await started.code(run)
      } catch {
        // It ended while it waited, for example because memory ran out. An error of the run itself comes again.
      }
      return await runFfmpeg(run)
    },
    /** Starts ffmpeg with the options of the last run, unless one waits. It ends when this process ends, because its input closes. */
    startNext(): void {
      if (last && !waiting) waiting = startWaiting(last)
    },
    /** Ends the ffmpeg that waits. */
    end(): void {
      waiting?.end()
      waiting = undefined
    },
  }
}

interface Waiting {
  options: string
  /** Gives it its input, and resolves with its output. */
  code(run: FfmpegRun): Promise<Buffer>
  end(): void
}

function startWaiting(run: FfmpegRun): Waiting {
  const stop = new AbortController()
  let give: (input: FfmpegRun['input']) => void = () => undefined
  const given = new Promise<FfmpegRun['input']>(resolve => {
    give = resolve
  })
  const output = runFfmpeg({ ...run, input: givenInput(given), signal: stop.signal })
  // When it ends while it waits, this is reported to the run that takes it.
  output.catch(() => undefined)
  return {
    options: optionsOf(run),
    async code({ input, signal }) {
      signal?.throwIfAborted()
      signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
      give(input)
      return await output
    },
    end: () => stop.abort(),
  }
}

async function* givenInput(given: Promise<FfmpegRun['input']>): AsyncGenerator<Uint8Array> {
  yield* await given
}

/** What must be equal for an ffmpeg to be used for another run. */
function optionsOf({ ffmpeg, head, inputOptions, outputOptions }: FfmpegRun): string {
  return JSON.stringify([ffmpeg, head?.length, inputOptions, outputOptions])
}
