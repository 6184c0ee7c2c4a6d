import { parentPort } from 'node:worker_threads'
import { InputError } from '../input-error.ts'
import { measureTracks } from './measure-tracks.ts'
import type { TrackAnswer, TrackJob } from './track-thread.ts'

/** The thread's side of track-thread.ts: one job, one answer. */
parentPort?.on('message', async ({ bytes, format }: TrackJob) => {
  parentPort?.postMessage(await answer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format))
})

// Readers log every broken file; the answer already contains the error.
for (const word of ['log', 'info', 'warn', 'error'] as const) console[word] = () => undefined

// A reader of a broken file may have promises that fail after the answer was sent.
process.on('unhandledRejection', () => undefined)

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
