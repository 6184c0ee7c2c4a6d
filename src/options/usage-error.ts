import { nearest } from '../wording/nearest.ts'

/** A wrong flag, variable or key; the command line turns it into exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The end of an error message that names the nearest of the known words, when one is near. */
export function hint(word: string, known: readonly string[], before = ''): string {
  const near = nearest(word, known)
  return near ? `; did you mean ${before}${near}?` : ''
}
