import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './folders.ts'

/** A folder of a test file's own, which ends with it, and what writes a file there and returns its path. */
export function writtenFiles(prefix: string) {
  const folder = ownFolder(prefix)
  const written = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  return { folder, written }
}
