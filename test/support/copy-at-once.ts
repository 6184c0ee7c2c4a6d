import { cpSync } from 'node:fs'

/** Copies a data directory as a crash of its process would leave it at this moment. */
export function copyAtOnce(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, filter: path => !path.endsWith('lock') })
  } catch (error) {
    // The one call that may be under way has just taken a name away.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    copyAtOnce(from, to)
  }
}
