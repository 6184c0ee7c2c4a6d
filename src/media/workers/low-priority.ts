import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Lowers the priority of this process and of the processes that it starts, so that the server and other programs run first.
 * Rendering becomes slower only when every core is busy. On a system that forbids it, nothing changes.
 */
export function lowerPriority(): void {
  const priority = 10
  attempt(() => setPriority(priority))
  // A worker leads a session of its own. Linux weighs sessions against each other first (sched(7), "The autogroup feature"),
  // and a process's priority counts only within its session.
  if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/autogroup', String(priority)))
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // Not allowed here, or no such kernel feature.
  }
}
