import { nearest } from '../wording/nearest.ts'

/** A wrong flag, variable or key. The command line ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The end of an error message: the nearest known word, or nothing when no known word is near. */
export function hint(word: string, known: readonly string[], before = ''): string {
  const near = nearest(word, known)
  return near ? `; did you mean ${before}${near}?` : ''
}
