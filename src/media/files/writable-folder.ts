import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * Why no file can be made in a folder, in the words of the system; undefined when one can. It makes a folder there and removes it,
 * since permissions do not tell of a read-only file system.
 */
function writingFault(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(join(folder, 'gateway-emulator-')))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Where the files of results and inputs go: a folder of a data directory, else one for temporary files. */
export function mediaPlace(data: string | undefined): { folder: string; fault: string | undefined } {
  if (data === undefined) return { folder: tmpdir(), fault: writingFault(tmpdir()) }
  const folder = resolve(data)
  let known = folder
  // A data directory is made at the start, with the folders above it.
  while (!existsSync(known)) known = dirname(known)
  return { folder, fault: writingFault(known) }
}

/** Throws when no temporary file can be written: every result would be a 500. The message says what to do. */
export function checkTemporaryFolder(instead: string): void {
  const { folder, fault } = mediaPlace(undefined)
  if (fault === undefined) return
  throw new Error(
    `No file can be made in the folder for temporary files, ${folder} (${fault}): set TMPDIR to a folder that can be written, mount one there (docker run --tmpfs /tmp)${instead}`,
  )
}
