import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, DataDirectoryError } from './data-directory-error.ts'

/** The process that holds a directory. `born` (where the system gives it) distinguishes it from a later process with the same id. */
type Holder = { pid: number; born: string | undefined }

/**
 * Locks a directory for this process; throws when a running process holds it. The returned function unlocks it.
 * All calls are synchronous, to keep the time short in which two processes could interfere.
 */
export function lockDirectory(dir: string): () => void {
  const path = join(dir, 'lock')
  while (!tryLock(path)) takeOver(dir, path)
  return () => rmSync(path, { force: true })
}

function tryLock(path: string): boolean {
  const holder: Holder = { pid: process.pid, born: birthOf(process.pid) }
  return isDone('EEXIST', () => writeFileSync(path, `${JSON.stringify(holder)}\n`, { flag: 'wx' }))
}

/** Removes the lock of a process that has ended. */
function takeOver(dir: string, path: string): void {
  const text = readLock(path)
  if (text === undefined) return // Just unlocked.
  checkDead(dir, path, text)
  const aside = `${path}.${process.pid}.stale`
  if (!isDone('ENOENT', () => renameSync(path, aside))) return // Another process was faster; look again.
  // Another process may have taken the lock between reading and moving it: then put its lock back.
  if (readLock(aside) === text) rmSync(aside, { force: true })
  else renameSync(aside, path)
}

function readLock(path: string): string | undefined {
  let text: string | undefined
  isDone('ENOENT', () => {
    text = readFileSync(path, 'utf8')
  })
  return text
}

/** Whether a call succeeded; false when it failed with the expected code. Other errors are thrown. */
function isDone(expectedCode: string, call: () => void): boolean {
  try {
    call()
    return true
  } catch (error) {
    if (codeOf(error) === expectedCode) return false
    throw error
  }
}

function checkDead(dir: string, path: string, text: string): void {
  const holder = holderOf(text)
  if (!holder || !isAlive(holder)) return
  throw new DataDirectoryError(
    `The data directory "${dir}" is in use by process ${holder.pid}. Stop that process or choose another directory; if that process is not an emulator, delete "${path}".`,
  )
}

// An unreadable lock comes from a process that was killed while it wrote the lock.
function holderOf(text: string): Holder | undefined {
  const match = /^\{"pid":(\d+)(?:,"born":"(\d+)")?\}\n$/.exec(text)
  return match ? { pid: Number(match[1]), born: match[2] } : undefined
}

function isAlive({ pid, born }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
    if (codeOf(error) !== 'EPERM') throw error // EPERM: it is running and belongs to another user.
  }
  // A killed process keeps its id until its parent collects it, which in a container may never happen.
  if (statOf(pid)?.[0] === 'Z') return false
  // In containers process ids repeat from run to run; the start time does not.
  return born === undefined || (birthOf(pid) ?? born) === born
}

/** When a process started, in clock ticks since boot; undefined where the system has no /proc. */
function birthOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** The fields that /proc gives for a process, from its state on; undefined where there is no /proc. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // Not Linux, or the process has just ended: only its id can be used.
  }
}
