import { parentPort } from 'node:worker_threads'
import { measureTracks } from './measure-tracks.ts'
import { MediaFault } from './media-fault.ts'
import type { TrackAnswer, TrackJob } from './track-thread.ts'

/** The thread's side of track-thread.ts: one job, one answer. */
parentPort?.on('message', async ({ bytes, format }: TrackJob) => {
  parentPort?.postMessage(await answer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format))
})

async function answer(bytes: Buffer, format: string): Promise<TrackAnswer> {
  try {
    return { tracks: await measureTracks(bytes, format) }
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    return { fault: { reason: error.reason, message: error.message } }
  }
}
