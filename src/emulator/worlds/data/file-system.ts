import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { statOf } from '../processes.ts'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file may not grow any further'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'its parent directory accepts no new directories'],
  ['ENOTDIR', 'a part of the path is a file, not a directory'],
  ['EEXIST', 'the path is a file, not a directory'],
  ['EMFILE', 'this process has too many files open'],
  ['EIO', 'the disk reported an error'],
])

/** The data directory cannot be used or written; the message says why, in a form for the command line. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** An error whose message says what was tried and the system's reason, in words when the code is known. */
export function asDirectoryError(attempt: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error
  const reason = REASONS.get(codeOf(error) ?? '')
  const detail = error instanceof Error ? error.message : String(error)
  return new DataDirectoryError(`${attempt}: ${reason ? `${reason} (${detail})` : detail}`, { cause: error })
}

/** The system's code of an error (`ENOENT`, …); undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Makes a directory and its parents when they do not exist. Rejects with the error of the system when it cannot make them.
 * `mkdir` with `recursive` never ends below a directory that accepts no entries, such as /proc.
 */
export async function makeDirectory(dir: string): Promise<void> {
  try {
    await mkdir(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(dir) !== dir) {
      await makeDirectory(dirname(dir))
      return makeLast(dir)
    }
    if (!(await isDirectory(dir))) throw error
  }
}

/** Expects that the parent exists. Another process may have made the directory in the meantime. */
async function makeLast(dir: string): Promise<void> {
  try {
    await mkdir(dir)
  } catch (error) {
    if (!(await isDirectory(dir))) throw error
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

/** Waits between attempts, wall ms: Windows refuses to move or remove a file while a virus scanner has it open. */
const WAITS_MS = [10, 50, 200, 500]
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** Gives a file another name. On Windows it tries again while another process has the file open. */
export async function moveFile(from: string, to: string): Promise<void> {
  for (const waitMs of process.platform === 'win32' ? WAITS_MS : []) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!HELD.has(codeOf(error) ?? '')) throw error
    }
    await pause(waitMs)
  }
  return await rename(from, to)
}

/** Removes a file if it exists, and tries again in the same way. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true, maxRetries: 5, retryDelay: 50 })
}

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
  if (statOf(pid)[0] === 'Z') return false
  // In containers process ids repeat from run to run; the start time does not.
  return born === undefined || (birthOf(pid) ?? born) === born
}

/** When a process started, in clock ticks since boot; undefined where the system has no /proc. */
function birthOf(pid: number): string | undefined {
  return statOf(pid)[19]
}
