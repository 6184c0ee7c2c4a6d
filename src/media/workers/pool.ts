import { availableParallelism } from 'node:os'
import { createGate } from '../gate.ts'
import type { Job, Results } from './job.ts'
import { startWorker, type Worker, WorkerDied } from './worker.ts'

/**
 * Renders, and reads inputs, in worker processes. They return all their memory when they end, and the server
 * can answer requests during their work. One pool belongs to one emulator.
 */
export interface WorkerPool {
  /**
   * Does a job in a worker. When the worker dies, the job is tried once more in another one, and then rejects with WorkerDied.
   * Aborting ends the worker that does the job, and rejects with the signal's reason.
   */
  run<J extends Job>(job: J, signal?: AbortSignal): Promise<Results[J['kind']]>
  /** Starts a worker before a job that will come soon. */
  warm(): void
  /** Ids of the running worker processes. */
  pids(): number[]
  /** Ends every worker with the processes that it started. Running and waiting jobs reject with an AbortError. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** Renders and decompositions at once; one for each core when absent. Encodings: one fewer, but at least one. */
  renders?: number
  /** The time after which a worker without work ends, in wall ms. */
  idleMs?: number
  start?(): Worker
}

/** A progressive picture of 36 million pixels takes some 250 MB while it is decoded; two at once stay within memory. */
const examinations = 2
const standardIdleMs = 6000

/** A pool without workers: the first job starts the first one. */
export function createWorkerPool(options: PoolOptions = {}): WorkerPool {
  const { renders = availableParallelism(), idleMs = standardIdleMs, start = () => startWorker() } = options
  // Inputs never wait for renderings: a create call is answered while every core renders.
  const lanes = { render: createGate(renders), examine: createGate(examinations) }
  const encodings = createGate(Math.max(1, renders - 1))
  const all = new Set<Worker>()
  /** The worker that was used last is at the end. It is taken first, because its code is compiled. */
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const stopping = new AbortController()

  const open = (): Worker => {
    for (const worker of all) if (!worker.isAlive()) all.delete(worker)
    const worker = start()
    all.add(worker)
    return worker
  }
  const end = (worker: Worker) => worker.kill().then(() => void all.delete(worker))
  const take = (): Worker => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer)
      if (last.worker.isAlive()) return last.worker
    }
    return open()
  }
  const putBack = (worker: Worker) => {
    if (!worker.isAlive() || stopping.signal.aborted) return
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex(one => one.worker === worker),
        1,
      )
      void end(worker)
    }, idleMs).unref()
    idle.push({ worker, timer })
  }

  const attempt = async (job: Job, signal: AbortSignal | undefined) => {
    const worker = take()
    const stop = () => void end(worker)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await worker.run(job)
    } catch (error) {
      stopping.signal.throwIfAborted()
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      putBack(worker)
    }
  }

  const attemptTwice = async (job: Job, signal: AbortSignal | undefined) => {
    stopping.signal.throwIfAborted()
    signal?.throwIfAborted()
    try {
      return await attempt(job, signal)
    } catch (error) {
      if (error instanceof WorkerDied) return await attempt(job, signal)
      throw error
    }
  }
  const admit = <T>(job: Job, work: () => Promise<T>): Promise<T> => {
    if (job.kind === 'examine') return lanes.examine.run(work)
    const render = () => lanes.render.run(work)
    return isEncoding(job) ? encodings.run(render) : render()
  }

  return {
    async run(job, signal) {
      const result = await admit(job, () => attemptTwice(job, signal))
      return result as Results[(typeof job)['kind']]
    },
    warm() {
      if (all.size === 0 && !stopping.signal.aborted) putBack(open())
    },
    pids: () => [...all].flatMap(worker => (worker.isAlive() ? (worker.pid ?? []) : [])),
    async close() {
      stopping.abort()
      for (const { timer } of idle) clearTimeout(timer)
      await Promise.all([...all].map(end))
    },
  }
}

/**
 * An encoding keeps more than one core busy, because ffmpeg codes while the worker draws. Two cores make forty videos as fast one after
 * the other as two at once, and the slowest of a hundred polls takes 40 % less time meanwhile.
 */
function isEncoding(job: Job): boolean {
  return job.kind === 'render' && job.ffmpeg !== undefined
}
