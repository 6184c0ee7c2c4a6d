import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** A file below `/proc`; empty where there is none, and when it may not be read. */
export function procText(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** Files of processes, below `/proc/PID`, that stay open: to open one costs more than to read it. */
export interface ProcFiles {
  /** Empty where there is none, and when it may not be read. */
  text(pid: number, name: string): string
  /** Closes those of all other processes. */
  keep(pids: ReadonlySet<number>): void
}

/** So many stay open: a browser has thousands. */
const mostOpen = 1000

export function openProcFiles(): ProcFiles {
  const open = new Map<number, Map<string, number>>()
  let count = 0
  const part = Buffer.alloc(65_536)
  const close = (file: number) => {
    closeSync(file)
    count--
  }
  return {
    text(pid, name) {
      const known = open.get(pid)?.get(name)
      if (known === undefined && count >= mostOpen) return procText(`${pid}/${name}`)
      try {
        const file = known ?? openSync(`/proc/${pid}/${name}`, 'r')
        if (known === undefined) {
          count++
          open.set(pid, (open.get(pid) ?? new Map<string, number>()).set(name, file))
        }
        return part.toString('latin1', 0, readSync(file, part, 0, part.length, 0))
      } catch {
        // It has ended.
        const file = open.get(pid)?.get(name)
        if (file !== undefined) close(file)
        open.get(pid)?.delete(name)
        return ''
      }
    },
    keep(pids) {
      for (const [pid, files] of open) {
        if (pids.has(pid)) continue
        for (const file of files.values()) close(file)
        open.delete(pid)
      }
    },
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

/** What Linux says of a process or a thread, by its path below `/proc`, behind its name: state, parent, group and so on. None when it is gone, and elsewhere. */
export function statOf(path: number | string): string[] {
  const stat = procText(`${path}/stat`)
  return stat === '' ? [] : fieldsOf(stat)
}

/** The fields of such a file from the state on. The name of the program, in brackets, may hold spaces and brackets. */
export function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Whether a process was started with the environment of a world. */
export function hasWorld(pid: number, world: string): boolean {
  return environmentOf(pid).includes(`GATEWAY_EMULATOR_WORLD=${world}`)
}

/** The environment that a process was started with, as `NAME=value`. */
export function environmentOf(pid: number): string[] {
  return procText(`${pid}/environ`).split('\0')
}
