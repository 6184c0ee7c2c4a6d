import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Lets the server, and everything else on the machine, run before this process and what it starts. Rendering only
 * becomes slower when every core is busy. A system that forbids it changes nothing.
 */
export function lowerPriority(): void {
  const priority = 5
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
