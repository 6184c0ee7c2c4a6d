import { isDeepStrictEqual } from 'node:util'
import { isMatch, readPattern } from './patterns.ts'
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
