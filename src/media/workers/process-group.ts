import { readdirSync, readFileSync } from 'node:fs'

/** What a process and all below it do at the moment. */
export interface Load {
  /** Processor time that they have used so far, those that have ended included, ms. */
  cpuMs: number
  /** One of their threads runs, waits for a processor or the disk, or was stopped from outside: it does not stand still by itself. */
  isAtWork: boolean
}

const msPerTick = 10

/** The load of a process and all below it. Undefined where the system does not tell (only Linux does), and when the process has ended. */
export function loadOf(leader: number): Load | undefined {
  const pids = processesUnder(leader)
  if (pids.length === 0) return undefined
  const ticks = pids.flatMap(pid => fieldsOf(`/proc/${pid}/stat`).slice(11, 15)).map(Number)
  const threads = pids.flatMap(pid => threadsOf(pid).map(id => `/proc/${pid}/task/${id}/stat`))
  return {
    cpuMs: ticks.reduce((sum, some) => sum + some, 0) * msPerTick,
    isAtWork: threads.some(stat => /[RDTt]/.test(fieldsOf(stat)[0] ?? '')),
  }
}

/** The ids of all threads of a process and of all below it. On Linux each has a priority of its own; elsewhere only the process is known. */
export function threadsUnder(leader: number): number[] {
  return process.platform === 'linux' ? processesUnder(leader).flatMap(threadsOf) : [leader]
}

/** None when the process has ended, and on other systems than Linux. */
function processesUnder(leader: number): number[] {
  const threads = threadsOf(leader)
  if (threads.length === 0) return []
  const children = threads.flatMap(id => wordsOf(`/proc/${leader}/task/${id}/children`)).map(Number)
  return [leader, ...children.flatMap(processesUnder)]
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

/** The fields after the name of the program, from the third on: state, parent, … */
function fieldsOf(stat: string): string[] {
  const words = wordsOf(stat)
  return words.slice(words.findLastIndex(word => word.endsWith(')')) + 1)
}

/** None when the process or thread has just ended. */
function wordsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(' ').filter(Boolean)
  } catch {
    return []
  }
}
