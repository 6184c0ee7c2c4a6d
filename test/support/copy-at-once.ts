import { cpSync } from 'node:fs'

/** Copies a data directory as a crash of its process would leave it now. */
export function copyAtOnce(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, filter: path => !path.endsWith('lock') })
  } catch (error) {
    // A call that is running may just have removed a name.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    copyAtOnce(from, to)
  }
}
