import { parentPort } from 'node:worker_threads'
import { InputError } from './errors.ts'
import { measureTracks } from './measure-tracks.ts'
import type { TrackAnswer, TrackJob } from './track-thread.ts'

/** The thread's side of track-thread.ts: one job, one answer. */
parentPort?.on('message', async ({ bytes, format }: TrackJob) => {
  const read = answer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format)
  keepBusy(read)
  parentPort?.postMessage(await read)
})

// Readers log every broken file; the answer already contains the error.
for (const word of ['log', 'info', 'warn', 'error'] as const) console[word] = () => undefined

// A reader of a broken file may have promises that fail after the answer was sent.
process.on('unhandledRejection', () => undefined)

// The first message says that the thread can begin: loading the library, which is imported above, is not a file's fault.
parentPort?.postMessage('ready')

/**
 * Uses processor time until the reader ends. The limit counts processor time, and a reader that waits for something that never comes
 * uses none by itself.
 */
function keepBusy(read: Promise<unknown>): void {
  let isReading = true
  const turn = () => void (isReading && setImmediate(turn))
  turn()
  void read.finally(() => {
    isReading = false
  })
}

async function answer(bytes: Buffer, format: string): Promise<TrackAnswer> {
  try {
    return { tracks: await measureTracks(bytes, format) }
  } catch (error) {
    if (error instanceof InputError) return { fault: { reason: error.reason, message: error.message } }
    return {
      fault: { reason: 'undecodable', message: `the ${format} file cannot be read: ${String(error)}` },
    }
  }
}
