import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess } from './process-tree.ts'

/** The variables that only processes of one run have together: no two runs have the same emulator, world and case. */
const marks = ['GATEWAY_EMULATOR_URL', 'GATEWAY_EMULATOR_WORLD', 'GATEWAY_EMULATOR_CASE'] as const

/** How long it looks for processes that start others while they are ended, wall ms. */
const patienceMs = 2_000

/**
 * Ends the processes of a run that left its process group, such as daemons: they still have the environment of the run. Only Linux
 * shows the environment of a process; elsewhere this does nothing. Resolves when none is left.
 */
export async function endLeftProcesses(env: NodeJS.ProcessEnv): Promise<void> {
  if (process.platform !== 'linux') return
  const entries = marks.map(name => `${name}=${env[name]}`)
  const lastAt = performance.now() + patienceMs
  for (let left = processesWith(entries); left.length > 0; left = processesWith(entries)) {
    for (const pid of left) endProcess(pid)
    if (performance.now() > lastAt) return
    await pause(5)
  }
}

/** The processes whose environment has all these entries. A process that has ended has no environment any more. */
function processesWith(entries: readonly string[]): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 1 && pid !== process.pid && hasAll(pid, entries))
}

function hasAll(pid: number, entries: readonly string[]): boolean {
  try {
    const known = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return entries.every(entry => known.includes(entry))
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}
