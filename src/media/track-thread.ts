import { Worker } from 'node:worker_threads'
import type { Tracks } from './measure-tracks.ts'
import { MediaFault, type MediaFaultReason } from './media-fault.ts'

export interface TrackJob {
  bytes: Uint8Array
  format: string
}

export type TrackAnswer = { tracks: Tracks } | { fault: { reason: MediaFaultReason; message: string } }

/** A whole file is measured in some milliseconds; only one made to mislead the demuxer takes longer. */
const longestMs = 5000
const largestHeapMb = 512

/** Threads that wait for the next file. Two are enough, as no more inputs are decoded at once. */
const idle: Worker[] = []
const mostIdle = 2

/**
 * Measures tracks in a thread of its own, because broken files can send a demuxer round in circles or eat all memory:
 * then the thread is ended and the file refused, and nothing else notices. Throws MediaFault as `measureTracks` does.
 */
export async function measureTracksApart(bytes: Buffer, format: string): Promise<Tracks> {
  const thread = idle.pop() ?? startThread()
  thread.ref()
  const answer = await ask(thread, { bytes, format })
  if (answer === undefined) {
    await thread.terminate()
    throw new MediaFault('undecodable', `the ${format} file leads its reader astray; reading it was given up`)
  }
  release(thread)
  if ('fault' in answer) throw new MediaFault(answer.fault.reason, answer.fault.message)
  return answer.tracks
}

/** Beside the compiled file lies a compiled thread; run from the sources, tsx translates it. */
function startThread(): Worker {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const execArgv = ending === 'ts' ? ['--import', 'tsx'] : []
  const resourceLimits = { maxOldGenerationSizeMb: largestHeapMb }
  return new Worker(new URL(`./track-worker.${ending}`, import.meta.url), {
    execArgv,
    resourceLimits,
    stderr: true,
    stdout: true,
  })
}

/** The answer, or undefined when the thread takes too long or runs out of memory. Its other errors are ours and are thrown. */
function ask(thread: Worker, job: TrackJob): Promise<TrackAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (answer?: TrackAnswer) => {
      thread.removeAllListeners()
      // A thread that is being ended may still complain; nobody waits for it any more.
      thread.on('error', () => undefined)
      resolve(answer)
    }
    AbortSignal.timeout(longestMs).addEventListener('abort', () => settle(), { once: true })
    thread.once('message', settle)
    thread.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') settle()
      else reject(error)
    })
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
