import { writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { pause } from '../../emulator/ground.ts'
import { threadsUnder } from './work-watch.ts'

/**
 * Steps on the scale of os.setPriority between the server and work ahead of requests. With more, that work hardly gets on while
 * other programs use every core.
 */
const lowerBy = 10

/** Changes the priority of a worker and the processes that it starts, by the id of the worker's process. */
export interface Priorities {
  lower(leader: number): void
  /** False where the system forbids it. */
  raise(leader: number): boolean
}

/** The priorities of the system. */
export const systemPriorities: Priorities = { lower, raise }

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
