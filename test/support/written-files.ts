import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of a test file's own, which ends with it, and what writes a file there and returns its path. */
export function writtenFiles(prefix: string) {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const written = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  return { folder, written }
}
