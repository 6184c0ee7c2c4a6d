import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { MediaFault, type MediaFaultReason } from '../media-fault.ts'
import type { Tracks } from './measure-tracks.ts'

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
    throw new MediaFault('undecodable', `the ${format} file leads its reader astray; reading it was given up`)
  }
  release(thread)
  if ('fault' in answer) throw new MediaFault(answer.fault.reason, answer.fault.message)
  return answer.tracks
}

function startThread(): Worker {
  const thread = openThread()
  // A thread that ended must not be used again; `ask` reports the error to its callers.
  thread.on('error', () => {
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  })
  return thread
}

/** Beside the compiled file lies a compiled thread. */
function openThread(): Worker {
  const options = { resourceLimits: { maxOldGenerationSizeMb: largestHeapMb } }
  const isSource = import.meta.url.endsWith('.ts')
  if (isSource) return new Worker(sourceLoader(), { ...options, eval: true })
  return new Worker(new URL('./track-worker.js', import.meta.url), options)
}

/** Run from the sources, as tests do, the thread needs tsx to read TypeScript; `--import tsx` does not reach a thread's entry. */
function sourceLoader(): string {
  const found = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))
  const loader = new URL('./index.mjs', found).href
  const entry = new URL('./track-worker.ts', import.meta.url).href
  return `import('${loader}').then(tsx => tsx.tsImport('${entry}', '${entry}'))`
}

/** The answer, or undefined when the thread takes too long or runs out of memory. Its other errors are ours and are thrown. */
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
      // Whichever of the two comes first settles it.
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
