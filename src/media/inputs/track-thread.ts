import type { Worker } from 'node:worker_threads'
import { InputError, type InputErrorReason } from '../input-error.ts'
import type { Tracks } from './measure-tracks.ts'
import { openTrackThread } from './track-entry.ts'

export interface TrackJob {
  bytes: Uint8Array
  format: string
}

export type TrackAnswer = { tracks: Tracks } | { fault: { reason: InputErrorReason; message: string } }

/** A file is measured in a few milliseconds; only a file that misleads the demuxer takes longer. */
const longestMs = 5000
const largestHeapMb = 512

/** Threads that wait for the next file. Two are enough, because not more inputs are decoded at once. */
const idle: Worker[] = []
const mostIdle = 2

/**
 * Measures tracks in a thread of its own, because a broken file can make a demuxer loop or use all memory:
 * then the thread is ended, the file is refused, and nothing else is affected. Throws InputError as `measureTracks` does.
 */
export async function measureTracksApart(
  bytes: Buffer,
  format: string,
  limitMs = longestMs,
): Promise<Tracks> {
  const thread = idle.pop() ?? startThread()
  thread.ref()
  const answer = await ask(thread, { bytes, format }, limitMs)
  if (answer === undefined) {
    await thread.terminate()
    throw new InputError(
      'undecodable',
      `the ${format} file makes its reader loop or use too much memory; reading was stopped`,
    )
  }
  release(thread)
  if ('fault' in answer) throw new InputError(answer.fault.reason, answer.fault.message)
  return answer.tracks
}

function startThread(): Worker {
  const thread = openTrackThread({ resourceLimits: { maxOldGenerationSizeMb: largestHeapMb } })
  // A thread that has ended must not be used again; `ask` reports the error to its callers.
  thread.on('error', () => {
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  })
  return thread
}

/** The answer, or undefined when the thread takes too long or runs out of memory. Other errors of the thread are thrown. */
function ask(thread: Worker, job: TrackJob, limitMs: number): Promise<TrackAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const outOfTime = AbortSignal.timeout(limitMs)
    const settle = (answer?: TrackAnswer) => {
      thread.off('message', settle).off('error', fail)
      outOfTime.removeEventListener('abort', giveUp)
      resolve(answer)
    }
    const giveUp = () => settle()
    const fail = (error: Error & { code?: string }) => {
      // The first of the two decides.
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
      settle()
    }
    thread.on('message', settle).on('error', fail)
    outOfTime.addEventListener('abort', giveUp)
    thread.postMessage(job)
  })
}

function release(thread: Worker): void {
  if (idle.length >= mostIdle) {
    void thread.terminate()
    return
  }
  thread.unref()
  idle.push(thread)
}
