import { nearSuggestion } from '../wording/did-you-mean.ts'

/** A wrong flag, variable or key. The command line ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads a given value. A UsageError of the reader gets the name of the place before its message: `--port: "x" is not …`. */
export function readAt<Given, Value>(place: string, given: Given, read: (given: Given) => Value): Value {
  try {
    return read(given)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${place}: ${error.message}`) : error
  }
}

/** The end of an error message: the nearest known word, or nothing when no known word is near. */
export function hint(word: string, known: readonly string[], before = ''): string {
  const question = nearSuggestion(word, known, near => before + near)
  return question ? `; ${question}` : ''
}
