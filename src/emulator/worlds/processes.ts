import { readdirSync, readFileSync } from 'node:fs'

/** A file below `/proc`; empty where there is none, and when it may not be read. */
export function procText(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** The names in a folder below `/proc`; none where there is none, and when it may not be read. */
export function procNames(path: string): string[] {
  try {
    return readdirSync(`/proc/${path}`)
  } catch {
    return []
  }
}

/** Whether a process was started with the environment of a world. */
export function hasWorld(pid: number, world: string): boolean {
  return environmentOf(pid).includes(`GATEWAY_EMULATOR_WORLD=${world}`)
}

/** The environment that a process was started with, as `NAME=value`. */
export function environmentOf(pid: number): string[] {
  return procText(`${pid}/environ`).split('\0')
}
