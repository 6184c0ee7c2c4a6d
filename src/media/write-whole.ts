import { rm, writeFile } from 'node:fs/promises'
import { moveFile } from '../worlds/data/moved-file.ts'

/** Writes a file that appears only when it is complete. Until then it is `file` + ".part". Throws the signal's reason when aborted. */
export async function writeWhole(file: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  const part = `${file}.part`
  try {
    await writeFile(part, bytes)
    signal?.throwIfAborted()
    await moveFile(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
