import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type { RE2JS } from 're2js'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** Whether a value (undefined = absent) matches. */
export type Matcher = (value: unknown) => boolean

/** Reads a matcher of a file: a plain value must be equal; an object has tests, which must all pass. Throws ScenarioError for an invalid pattern. */
export function readMatcher(spelled: unknown, steps: Steps): Matcher {
  if (typeof spelled !== 'object' || spelled === null) return value => isSame(value, spelled)
  const matchers = Object.entries(spelled).map(([test, expected]) =>
    readTest(test, expected, [...steps, test]),
  )
  return value => matchers.every(matcher => matcher(value))
}

function readTest(test: string, expected: unknown, steps: Steps): Matcher {
  switch (test) {
    case 'equals':
      return value => isSame(value, expected)
    case 'contains':
      return value => holds(value, expected)
    case 'exists':
      return value => (value !== undefined) === expected
    case 'matches':
      return readMatches(String(expected), steps)
    default:
      throw new ScenarioError(`the test ${test} is not known`, { steps })
  }
}

function readMatches(source: string, steps: Steps): Matcher {
  const pattern = readPattern(source)
  if ('refused' in pattern)
    throw new ScenarioError(`the pattern ${pattern.refused}`, { steps, hint: 'write it in RE2 syntax' })
  return value => isText(value) && isMatch(pattern, String(value))
}

function holds(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value)) return value.some(entry => isSame(entry, expected))
  return isText(value) && String(value).includes(String(expected))
}

function isSame(value: unknown, expected: unknown): boolean {
  return typeof value === 'object' ? isDeepStrictEqual(value, expected) : value === expected
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** The value at a JSON pointer (RFC 6901); undefined when it does not exist. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let value = document
  for (const part of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

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
