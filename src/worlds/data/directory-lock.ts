import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, DataDirectoryError } from './data-directory-error.ts'

/** Who holds a directory. `born` tells a process from a later one with the same id, where the system says it. */
type Holder = { pid: number; born: string | undefined }

/**
 * Takes a directory for this process; throws when a live process has it. The result gives it back.
 * All calls are synchronous, so that the moments in which two processes could cross are as short as can be.
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

/** Moves a dead process's lock out of the way. */
function takeOver(dir: string, path: string): void {
  const text = readLock(path)
  if (text === undefined) return // Given back this moment.
  checkDead(dir, path, text)
  const aside = `${path}.${process.pid}.stale`
  if (!isDone('ENOENT', () => renameSync(path, aside))) return // Somebody else was quicker; look again.
  // Another process may have taken over between the look and the move: then its lock goes back.
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

/** Whether a call went well; false when it failed with the one code that is expected. */
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
    `The data directory "${dir}" is in use by process ${holder.pid}. Stop that process or choose another directory; if it is no emulator, delete "${path}".`,
  )
}

// A lock that cannot be read is that of a process killed while it wrote it.
function holderOf(text: string): Holder | undefined {
  const match = /^\{"pid":(\d+)(?:,"born":"(\d+)")?\}\n$/.exec(text)
  return match ? { pid: Number(match[1]), born: match[2] } : undefined
}

function isAlive({ pid, born }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
    if (codeOf(error) !== 'EPERM') throw error // EPERM: it lives and is another user's.
  }
  // A killed process keeps its id until its parent asks for it, which in containers may be never.
  if (statOf(pid)?.[0] === 'Z') return false
  // In containers ids repeat from run to run; the time of birth does not.
  return born === undefined || (birthOf(pid) ?? born) === born
}

/** When a process started, in clock ticks since boot; undefined where the system has no /proc. */
function birthOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** What the system tells about a process, from its state on; undefined where there is no /proc. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // Not Linux, or the process has just ended: its id alone must do.
  }
}
