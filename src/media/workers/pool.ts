import { writeFileSync } from 'node:fs'
import { availableParallelism, constants, getPriority, setPriority } from 'node:os'
import { pause } from '../../emulator/ground.ts'
import { createGate } from '../files/gate.ts'
import { tryTwice } from '../inputs/errors.ts'
import { type Demand, demanded } from '../render/ahead.ts'
import type { Results, WorkerJob } from './job.ts'
import { loadOf, standardLimits, threadsUnder, type WorkLimits, watchWork } from './work-watch.ts'
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
  const crew = new Crew({ start, idleMs, priorities })
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
    warm: () => crew.warm(),
    pids: () => crew.pids(),
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

/** The workers of a pool, those with work and those without. The first one starts with the first work. */
class Crew {
  readonly #options: CrewOptions
  readonly #all = new Set<Worker>()
  readonly #lowered = new Set<Worker>()
  /** The worker that was used last is at the end. It is taken first, because its code is compiled. */
  readonly #idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  #isClosed = false
  /** Known after the first try. Where it is forbidden, lowered workers stay apart from the others. */
  #mayRaise: boolean | undefined

  constructor(options: CrewOptions) {
    this.#options = options
  }

  /** A worker without work, or a new one. One for work ahead of requests has a lower priority than the server. */
  take(isAhead: boolean): Worker {
    const fit = this.#removeIdle(worker => worker.isAlive() && this.#lowered.has(worker) === isAhead)
    if (fit) return fit
    const other = this.#mayRaise === false ? undefined : this.#removeIdle(worker => worker.isAlive())
    const isUsable = other && (isAhead ? this.#mayRaise : this.raise(other))
    if (other && !isUsable) this.putBack(other)
    const worker = other && isUsable ? other : this.#open()
    if (isAhead) this.#lower(worker)
    return worker
  }

  putBack(worker: Worker): void {
    if (!worker.isAlive() || this.#isClosed) return
    const timer = setTimeout(() => {
      this.#removeIdle(other => other === worker)
      void this.end(worker)
    }, this.#options.idleMs).unref()
    this.#idle.push({ worker, timer })
  }

  /** Gives a lowered worker the priority of the server. Returns false where the system forbids it. */
  raise(worker: Worker): boolean {
    if (worker.pid === undefined || this.#mayRaise === false) return false
    this.#mayRaise = this.#options.priorities.raise(worker.pid)
    if (this.#mayRaise) this.#lowered.delete(worker)
    return this.#mayRaise
  }

  /** Ends a worker with the processes that it started. */
  async end(worker: Worker): Promise<void> {
    await worker.kill()
    this.#forget(worker)
  }

  /** Starts a worker before work that will come soon, unless there is one. */
  warm(): void {
    if (this.#all.size === 0 && !this.#isClosed) this.putBack(this.#open())
  }

  pids(): number[] {
    return [...this.#all].flatMap(worker => (worker.isAlive() ? (worker.pid ?? []) : []))
  }

  /** Ends all. No worker is started afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#idle) clearTimeout(timer)
    await Promise.all([...this.#all].map(worker => this.end(worker)))
  }

  #open(): Worker {
    for (const worker of this.#all) if (!worker.isAlive()) this.#forget(worker)
    const worker = this.#options.start()
    this.#all.add(worker)
    return worker
  }

  #forget(worker: Worker): void {
    this.#all.delete(worker)
    this.#lowered.delete(worker)
  }

  #removeIdle(isIt: (worker: Worker) => boolean): Worker | undefined {
    const at = this.#idle.findLastIndex(({ worker }) => isIt(worker))
    const [found] = at < 0 ? [] : this.#idle.splice(at, 1)
    clearTimeout(found?.timer)
    return found?.worker
  }

  #lower(worker: Worker): void {
    if (worker.pid === undefined || this.#lowered.has(worker)) return
    this.#lowered.add(worker)
    this.#options.priorities.lower(worker.pid)
  }
}

interface CrewOptions {
  start(): Worker
  /** The time after which a worker without work ends, wall ms. */
  idleMs: number
  priorities: Priorities
}

/**
 * Steps on the scale of os.setPriority between the server and work ahead of requests. With more, that work hardly gets on while
 * other programs use every core.
 */
const lowerBy = 10

/** Changes the priority of a worker and the processes that it starts, by the id of the worker's process. */
interface Priorities {
  lower(leader: number): void
  /** False where the system forbids it. */
  raise(leader: number): boolean
}

/** The priorities of the system. */
const systemPriorities: Priorities = { lower, raise }

/** Lets the server and other programs run before a worker and the processes that it starts. Where the system forbids it, nothing changes. */
function lower(leader: number): void {
  const priority = Math.min(getPriority() + lowerBy, constants.priority.PRIORITY_LOW)
  setAll(leader, priority)
  setSession(leader, priority)
}

/** The kernel lets processes without privileges change the weight of a session once in a tenth of a second. */
const sessionPauseMs = 110
const sessionTries = 20

/**
 * Gives a lowered worker and the processes that it has started the priority of the server again. Returns whether all have it: Linux
 * and macOS let only privileged processes raise a priority (on Linux root, CAP_SYS_NICE or RLIMIT_NICE).
 */
function raise(leader: number): boolean {
  const priority = getPriority()
  void raiseSession(leader, priority)
  // Threads that start meanwhile inherit from those that start them: a second look finds them.
  return setAll(leader, priority) && setAll(leader, priority)
}

async function raiseSession(leader: number, priority: number): Promise<void> {
  for (let tries = 0; tries < sessionTries && !setSession(leader, priority); tries++)
    await pause(sessionPauseMs)
}

/** False when the system forbids it for one of them. One that has just ended does not count. */
function setAll(leader: number, priority: number): boolean {
  return threadsUnder(leader).every(id => attempt(() => setPriority(id, priority), /EACCES|EPERM/))
}

/**
 * A worker leads a session of its own. Linux weighs sessions against each other first (sched(7), "The autogroup feature"), and a
 * process's priority counts only within its session. Anybody may give a session its usual weight again. False when it is too early.
 */
function setSession(leader: number, priority: number): boolean {
  if (process.platform !== 'linux') return true
  return attempt(() => writeFileSync(`/proc/${leader}/autogroup`, String(priority)), /EAGAIN/)
}

/** False when a change fails with one of these codes. Other failures: the process has ended, or there is no such kernel feature. */
function attempt(change: () => void, codes: RegExp): boolean {
  try {
    change()
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && codes.test(`${error.code} ${error.message}`))
  }
}
