import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { withinProcessorTime } from '../workers/processor-time.ts'
import { GivenUp, InputError, type InputErrorReason } from './errors.ts'
import type { Tracks } from './measure-tracks.ts'

export interface TrackJob {
  bytes: Uint8Array
  format: string
}

export type TrackAnswer = { tracks: Tracks } | { fault: { reason: InputErrorReason; message: string } }

/** Processor time. Most files take a few milliseconds, two hours at 60 frames a second some 7 s; a misled demuxer never ends. */
const longestMs = 10_000
const largestHeapMb = 512

/** Threads that wait for the next file. Two are enough, because not more inputs are decoded at once. */
const idle: Worker[] = []
const mostIdle = 2

/**
 * Measures tracks in a thread of its own, because a broken file can make a demuxer loop or use all memory: then the thread is
 * ended, the file is refused, and nothing else is affected. `limitMs` is the processor time of this process, from when the
 * thread is ready. Throws InputError as `measureTracks` does, and GivenUp when no thread can be started.
 */
export async function measureTracksApart(
  bytes: Buffer,
  format: string,
  limitMs = longestMs,
): Promise<Tracks> {
  const thread = idle.pop() ?? (await startThread().catch(startThread))
  thread.ref()
  try {
    const limit = {
      ms: limitMs,
      fault: () => stopped(format, `loop: it used more than ${limitMs / 1000} s of processor time`),
    }
    const answer = await withinProcessorTime(ask(thread, { bytes, format }), limit)
    release(thread)
    if ('fault' in answer) throw new InputError(answer.fault.reason, answer.fault.message)
    return answer.tracks
  } catch (error) {
    if (!idle.includes(thread)) await thread.terminate()
    throw error
  }
}

function stopped(format: string, what: string): InputError {
  return new InputError('undecodable', `the ${format} file makes its reader ${what}; reading was stopped`)
}

/** A thread that is ready to read. */
function startThread(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const thread = openTrackThread({ resourceLimits: { maxOldGenerationSizeMb: largestHeapMb } })
    const fail = (error: Error) =>
      reject(new GivenUp(`no thread for reading a file can be started: ${error.message}`))
    thread.once('error', fail)
    thread.once('message', () => {
      thread.off('error', fail)
      // A thread that has ended must not be used again; `ask` reports the error to its callers.
      thread.on('error', () => {
        const at = idle.indexOf(thread)
        if (at >= 0) idle.splice(at, 1)
      })
      resolve(thread)
    })
  })
}

/** The thread's answer. Throws InputError when it runs out of memory, and other errors of the thread. */
function ask(thread: Worker, job: TrackJob): Promise<TrackAnswer> {
  return new Promise((resolve, reject) => {
    const settle = () => void thread.off('message', answer).off('error', fail).off('exit', leave)
    const answer = (given: TrackAnswer) => {
      settle()
      resolve(given)
    }
    const fail = (error: Error & { code?: string }) => {
      settle()
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isFull ? stopped(job.format, `use more than ${largestHeapMb} MB of memory`) : error)
    }
    const leave = () => fail(new Error('the thread that reads the file has ended'))
    thread.on('message', answer).on('error', fail).on('exit', leave)
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

/** Starts a thread that measures tracks. The compiled thread is beside the compiled file. */
function openTrackThread(options: WorkerOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  if (isSource) return new Worker(sourceLoader(), { ...options, eval: true })
  return new Worker(new URL('./track-worker.js', import.meta.url), options)
}

/** When the emulator runs from its sources, the thread needs tsx to read TypeScript; `--import tsx` has no effect on a thread's entry. */
function sourceLoader(): string {
  const found = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))
  const loader = new URL('./index.mjs', found).href
  const entry = new URL('./track-worker.ts', import.meta.url).href
  return `import('${loader}').then(tsx => tsx.tsImport('${entry}', '${entry}'))`
}
