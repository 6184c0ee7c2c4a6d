import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

const require = createRequire(import.meta.url)

const maxPatternLength = 512

/** A compiled pattern. With RE2 the time grows linearly with the text for every pattern, so that a file cannot make the emulator hang. */
export type Pattern = RE2JS

/** A pattern from a scenario file (RE2 syntax, case-sensitive, `.` meaning any character), or why it is refused. */
export function readPattern(source: string): Pattern | { refused: string } {
  if (source.length > maxPatternLength) {
    return { refused: `is ${source.length} characters long, at most ${maxPatternLength} are allowed` }
  }
  // Loaded with the first pattern, since most runs have no pattern.
  const re2: typeof import('re2js') = require('re2js')
  try {
    return re2.RE2JS.compile(source, re2.RE2JS.DOTALL)
  } catch (error) {
    return { refused: error instanceof Error ? error.message : 'is not a regular expression' }
  }
}

/** Whether a text matches anywhere. */
export function isMatch(pattern: Pattern, text: string): boolean {
  return pattern.matcher(text).find()
}
