import { statOf } from '../../emulator/ground.ts'

/** How often the processor time is read, wall ms. */
const lookMs = 50

/** Work beyond its limit that could not be stopped. */
let beyond = 0

/** Whether this process still does work that went beyond its limit. Only the end of the process stops it. */
export function isSpent(): boolean {
  return beyond > 0
}

/** A limit on work that this process does while it does nothing else. */
interface ProcessorLimit {
  /** Processor time of the whole process, all threads together, ms. Time in which other programs have the cores does not count. */
  ms: number
  /** The error for work that takes more. */
  fault(): Error
}

/** Waits for work that runs in other threads of this process. Rejects with the limit's fault when it has used too much processor time. */
export async function withinProcessorTime<T>(work: Promise<T>, { ms, fault }: ProcessorLimit): Promise<T> {
  const before = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 <= ms) return
      clearInterval(timer)
      beyond++
      const end = () => void beyond--
      work.then(end, end)
      reject(fault())
    }, lookMs)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearInterval(timer)
  }
}

const ticksPerSecond = 100

/** The processor time of all processes that this one started and that have ended, in seconds; 0 where the system does not tell. */
export function childrenSeconds(): number {
  const [user = 0, system = 0] = statOf('self').slice(13, 15).map(Number)
  return (user + system) / ticksPerSecond
}
