import { rename, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from './data-directory-error.ts'

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
