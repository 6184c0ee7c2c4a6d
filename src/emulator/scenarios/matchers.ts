import type { IncomingHttpHeaders } from 'node:http'
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

/** Where a request holds the fields that scenarios and tags use. Paths are JSON pointers; `*` means every index. */
export interface Reads {
  prompts: readonly string[]
  model: (body: unknown, params: Readonly<Record<string, string>>) => unknown
  /** The neutral ids of the models that a request may name. */
  models: readonly string[]
  /** The mode, or all that fit. */
  mode?: (body: unknown) => string | readonly string[] | undefined
}

/** Where a request names tasks that exist. Of several parameters of a query the first that is given counts. */
export interface TaskPlaces {
  query?: readonly string[]
  /** That of these whose names are the caller's own ids. */
  external?: string
  /** A JSON pointer. */
  body?: string
}

/** The facts of a request that rules use. */
export interface RequestFacts {
  /** The operation id. */
  operation: string
  family: string
  /** As the caller wrote it. */
  model?: string | undefined
  account: string
  /** The whole API key. */
  key: string
  mode?: string | readonly string[] | undefined
  /** All prompts of the request, without tags. */
  prompt?: string | undefined
  headers: IncomingHttpHeaders
  body: unknown
  /** Existing tasks that the request names, also by an external id. */
  taskIds?: readonly string[] | undefined
  /** Virtual now, epoch ms. */
  now: number
}
