import { readdirSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/**
 * Steps on the scale of os.setPriority. Polls wait longer with fewer steps. With more, a rendering hardly gets on while other
 * programs use every core.
 */
const lower = 10

/**
 * Lowers the priority of this process and of the processes that it starts, so that the server and other programs run first.
 * Rendering becomes slower only when every core is busy. On a system that forbids it, nothing changes.
 */
export function lowerPriority(): void {
  const priority = Math.min(getPriority() + lower, constants.priority.PRIORITY_LOW)
  for (const id of threads()) attempt(() => setPriority(id, priority))
  // A worker leads a session of its own. Linux weighs sessions against each other first (sched(7), "The autogroup feature"),
  // and a process's priority counts only within its session.
  if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/autogroup', String(priority)))
}

/**
 * On Linux each thread has a priority of its own. Pictures are drawn in threads that Node started before this code runs, and in
 * threads that those start. Elsewhere, the process as a whole.
 */
function threads(): number[] {
  if (process.platform !== 'linux') return [0]
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // Not allowed here, or no such kernel feature.
  }
}
