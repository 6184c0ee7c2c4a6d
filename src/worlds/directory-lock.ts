import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, DataDirectoryError } from './data-directory-error.ts'

/** Who holds a directory. `born` tells a process from a later one with the same id, where the system says it. */
type Holder = { pid: number; born: string | undefined }

/** Takes a directory for this process; throws when a live process has it. The result gives it back. */
export async function lockDirectory(dir: string): Promise<() => Promise<void>> {
  const path = join(dir, 'lock')
  while (!(await tryLock(path))) await takeOver(dir, path)
  return () => rm(path, { force: true })
}

async function tryLock(path: string): Promise<boolean> {
  const holder: Holder = { pid: process.pid, born: birthOf(process.pid) }
  try {
    await writeFile(path, `${JSON.stringify(holder)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves a dead process's lock out of the way. */
async function takeOver(dir: string, path: string): Promise<void> {
  const text = await readLock(path)
  if (text === undefined) return // Given back this moment.
  checkDead(dir, path, text)
  const aside = `${path}.${process.pid}.stale`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return // Somebody else was quicker; look again.
    throw error
  }
  // Another process may have taken over between the look and the move: then its lock goes back.
  if ((await readLock(aside)) !== text) await link(aside, path)
  await rm(aside, { force: true })
}

async function readLock(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
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
  // In containers ids repeat from run to run; the time of birth does not.
  return born === undefined || (birthOf(pid) ?? born) === born
}

/** When a process started, in clock ticks since boot; undefined where the system has no /proc. */
function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined // Not Linux, or the process has just ended: its id alone must do.
  }
}
