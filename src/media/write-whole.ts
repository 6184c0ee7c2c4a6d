import { rm, writeFile } from 'node:fs/promises'
import { moveFile } from '../worlds/data/moved-file.ts'

/** A number for the names of unfinished files, unique in this process. */
let parts = 0

/** Writes a file that appears only when it is complete; until then it has a name of its own. Throws the signal's reason when aborted. */
export async function writeWhole(file: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  const part = `${file}.${process.pid}.${++parts}.part`
  try {
    await writeFile(part, bytes)
    signal?.throwIfAborted()
    await moveFile(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
