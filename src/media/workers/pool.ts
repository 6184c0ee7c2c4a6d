import { availableParallelism } from 'node:os'
import { pause } from '../../worlds/wait.ts'
import { type Demand, demanded } from '../ahead.ts'
import { tryTwice } from '../errors.ts'
import { createGate } from '../gate.ts'
import { createCrew } from './crew.ts'
import type { Results, WorkerJob } from './job.ts'
import { type Priorities, systemPriorities } from './priority.ts'
import { loadOf, standardLimits, type WorkLimits, watchWork } from './work-watch.ts'
import { startWorker, type Worker } from './worker.ts'

/**
 * Renders, and reads inputs, in worker processes. They return all their memory when they end, and the server
 * can answer requests during their work. One pool belongs to one emulator.
 */
export interface WorkerPool {
  /**
   * Does a job in a worker. When the worker dies or the work was given up for the machine's sake, it is tried once more, and then
   * rejects with GivenUp. Aborting ends the worker that does the job, and rejects with the signal's reason.
   * A job for which there is no demand yet is done at low priority until there is.
   */
  run<J extends WorkerJob>(job: J, signal?: AbortSignal, demand?: Demand): Promise<Results[J['kind']]>
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
  limits?: Partial<WorkLimits>
  priorities?: Priorities
  start?(): Worker
}

/** A progressive picture of 36 million pixels takes some 250 MB while it is decoded; two at once stay within memory. */
const examinations = 2
const standardIdleMs = 6000

/** How a job is tried. */
interface Terms {
  signal: AbortSignal | undefined
  isAhead(): boolean
  /** Told the worker that does it. */
  begins?(worker: Worker): void
}

/** A pool without workers: the first job starts the first one. */
export function createWorkerPool(options: PoolOptions = {}): WorkerPool {
  const { renders = availableParallelism(), idleMs = standardIdleMs, start = () => startWorker() } = options
  const { priorities = systemPriorities } = options
  const limits = { ...standardLimits, ...options.limits }
  // Inputs never wait for renderings: a create call is answered while every core renders.
  const lanes = { render: createGate(renders), examine: createGate(examinations) }
  const encodings = createGate(Math.max(1, renders - 1))
  const crew = createCrew({ start, idleMs, priorities })
  const stopping = new AbortController()

  const attempt = async (job: WorkerJob, { signal, isAhead, begins }: Terms) => {
    const worker = crew.take(isAhead())
    let reason: Error | undefined
    const stop = () => void crew.end(worker)
    const unwatch = watchWork(worker.pid ?? 0, limits, why => {
      reason = why
      stop()
    })
    signal?.addEventListener('abort', stop, { once: true })
    try {
      stopping.signal.throwIfAborted()
      signal?.throwIfAborted()
      begins?.(worker)
      return await worker.run(job)
    } catch (error) {
      stopping.signal.throwIfAborted()
      signal?.throwIfAborted()
      throw reason ?? error
    } finally {
      unwatch()
      signal?.removeEventListener('abort', stop)
      crew.putBack(worker)
    }
  }

  const attemptTwice = async (job: WorkerJob, terms: Terms) => {
    stopping.signal.throwIfAborted()
    terms.signal?.throwIfAborted()
    return await tryTwice(() => attempt(job, terms))
  }
  const inLane = <T>(job: WorkerJob, work: () => Promise<T>): Promise<T> => {
    if (job.kind === 'examine') return lanes.examine.run(work)
    const render = () => lanes.render.run(work)
    return isEncoding(job) ? encodings.run(render) : render()
  }
  const runNow = (job: WorkerJob, signal: AbortSignal | undefined) =>
    inLane(job, () => attemptTwice(job, { signal, isAhead: () => false }))

  /**
   * Work ahead of requests takes no place from requested work. When somebody waits for it, its priority is raised. Where the system
   * forbids that, and it gets on slowly, the same work is begun again at normal priority, and the first to end counts.
   */
  const runAhead = async (job: WorkerJob, demand: Demand) => {
    const [low, again] = [new AbortController(), new AbortController()]
    let worker: Worker | undefined
    const isAhead = () => !demand.isThere()
    const begins = (begun: Worker) => {
      worker = begun
    }
    const first = attemptTwice(job, { signal: low.signal, isAhead, begins })
    let isOver = false
    const over = () => {
      isOver = true
    }
    first.then(over, over)
    const hurry = async () => {
      if (worker && crew.raise(worker)) return await first
      while (!isOver) if (await isSlow(worker)) return await runNow(job, again.signal)
      return await first
    }
    const second = new Promise<unknown>((resolve, reject) =>
      demand.whenThere(() => void hurry().then(resolve, reject)),
    )
    try {
      return await Promise.race([first, second])
    } finally {
      low.abort()
      again.abort()
    }
  }

  return {
    async run(job, signal, demand = demanded) {
      const result = await (demand.isThere() ? runNow(job, signal) : runAhead(job, demand))
      return result as Results[(typeof job)['kind']]
    },
    warm: crew.warm,
    pids: crew.pids,
    async close() {
      stopping.abort()
      await crew.close()
    },
  }
}

/** Wall ms. */
const glanceMs = 500

/** After a moment: whether a worker gets less than half of a processor. Where the system does not tell, it does. */
async function isSlow(worker: Worker | undefined): Promise<boolean> {
  const pid = worker?.pid ?? 0
  const before = loadOf(pid)
  await pause(glanceMs)
  const after = loadOf(pid)
  return !before || !after || after.cpuMs - before.cpuMs < glanceMs / 2
}

/**
 * An encoding keeps more than one core busy, because ffmpeg codes while the worker draws. Two cores make forty videos as fast one after
 * the other as two at once, and the slowest of a hundred polls takes 40 % less time meanwhile.
 */
function isEncoding(job: WorkerJob): boolean {
  return job.kind === 'render' && job.ffmpeg !== undefined
}
