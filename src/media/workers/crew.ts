import type { Priorities } from './priority.ts'
import type { Worker } from './worker.ts'

/** The workers of a pool, those with work and those without. */
interface Crew {
  /** A worker without work, or a new one. One for work ahead of requests has a lower priority than the server. */
  take(isAhead: boolean): Worker
  putBack(worker: Worker): void
  /** Gives a lowered worker the priority of the server. Returns false where the system forbids it. */
  raise(worker: Worker): boolean
  /** Ends a worker with the processes that it started. */
  end(worker: Worker): Promise<void>
  /** Starts a worker before work that will come soon, unless there is one. */
  warm(): void
  pids(): number[]
  /** Ends all. No worker is started afterwards. */
  close(): Promise<void>
}

interface CrewOptions {
  start(): Worker
  /** The time after which a worker without work ends, wall ms. */
  idleMs: number
  priorities: Priorities
}

/** No workers: the first one starts with the first work. */
export function createCrew({ start, idleMs, priorities }: CrewOptions): Crew {
  const all = new Set<Worker>()
  const lowered = new Set<Worker>()
  /** The worker that was used last is at the end. It is taken first, because its code is compiled. */
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  let isClosed = false
  /** Known after the first try. Where it is forbidden, lowered workers stay apart from the others. */
  let mayRaise: boolean | undefined

  const open = (): Worker => {
    for (const worker of all) if (!worker.isAlive()) forget(worker)
    const worker = start()
    all.add(worker)
    return worker
  }
  const forget = (worker: Worker) => {
    all.delete(worker)
    lowered.delete(worker)
  }
  const end = (worker: Worker) => worker.kill().then(() => forget(worker))
  const putBack = (worker: Worker) => {
    if (!worker.isAlive() || isClosed) return
    const timer = setTimeout(() => {
      removeIdle(({ worker: other }) => other === worker)
      void end(worker)
    }, idleMs).unref()
    idle.push({ worker, timer })
  }
  const removeIdle = (isIt: (one: (typeof idle)[number]) => boolean): Worker | undefined => {
    const at = idle.findLastIndex(isIt)
    const [found] = at < 0 ? [] : idle.splice(at, 1)
    clearTimeout(found?.timer)
    return found?.worker
  }
  const lowerIt = (worker: Worker) => {
    if (worker.pid === undefined || lowered.has(worker)) return
    lowered.add(worker)
    priorities.lower(worker.pid)
  }
  const raiseIt = (worker: Worker) => {
    if (worker.pid === undefined || mayRaise === false) return false
    mayRaise = priorities.raise(worker.pid)
    if (mayRaise) lowered.delete(worker)
    return mayRaise
  }

  return {
    take(isAhead) {
      const isFit = ({ worker }: { worker: Worker }) => worker.isAlive() && lowered.has(worker) === isAhead
      const fit = removeIdle(isFit)
      if (fit) return fit
      const other = mayRaise === false ? undefined : removeIdle(({ worker }) => worker.isAlive())
      if (other && (isAhead ? mayRaise : raiseIt(other))) {
        if (isAhead) lowerIt(other)
        return other
      }
      if (other) putBack(other)
      const opened = open()
      if (isAhead) lowerIt(opened)
      return opened
    },
    putBack,
    raise: raiseIt,
    end,
    warm() {
      if (all.size === 0 && !isClosed) putBack(open())
    },
    pids: () => [...all].flatMap(worker => (worker.isAlive() ? (worker.pid ?? []) : [])),
    async close() {
      isClosed = true
      for (const { timer } of idle) clearTimeout(timer)
      await Promise.all([...all].map(end))
    },
  }
}
