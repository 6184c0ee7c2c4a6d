import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from './data-directory-error.ts'

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
