import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Processes need time to end, and more on a busy machine. */
export const within = { timeout: 20_000, interval: 10 }

export function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not collected yet is gone too.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until all of these processes have ended. */
export const noneIsLeft = (pids: readonly number[]) =>
  expect.poll(() => pids.filter(isAlive), within).toEqual([])

/** The commands of processes with this folder for temporary files, whichever process started them. */
export function processesOf(temporary: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${temporary}\0`)) return []
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return [] // It has just ended, or belongs to another user.
      }
    })
}
