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
