import { readDuration } from './amounts.ts'

/** A length of time in scenario files. */
export const duration = {
  type: ['string', 'integer'],
  minimum: 0,
  pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$',
  description: 'a duration such as 250ms, 90s, 5m, 2h, 7d, 1h30m, or milliseconds',
} as const

export const range = {
  type: ['string', 'integer', 'object'],
  minimum: 0,
  pattern: duration.pattern,
  properties: { from: duration, to: duration },
  required: ['from', 'to'],
  additionalProperties: false,
  description: 'a duration such as 90s, or {from, to} to draw one from the seed',
} as const

export const bytesPerSecond = {
  type: ['string', 'number'],
  minimum: 1,
  pattern: '^\\d+(\\.\\d+)? ?([kKmM]i?)?[bB]/s$',
  description: 'a speed such as 64kB/s, 8KiB/s, 1MB/s, or bytes per second',
} as const

const tests = {
  contains: { description: 'a string that must occur in it; for an array, an element' },
  matches: {
    type: 'string',
    maxLength: 512,
    description: 'a regular expression (RE2 syntax) that must match somewhere',
  },
  equals: { description: 'the exact value' },
  exists: { type: 'boolean', description: 'whether it must be present' },
} as const

export const textMatcher = {
  type: ['string', 'object'],
  properties: tests,
  additionalProperties: false,
  minProperties: 1,
  description: 'a string it must equal, or {contains | matches | equals | exists}',
} as const

export const valueMatcher = {
  type: ['string', 'number', 'boolean', 'object'],
  properties: tests,
  additionalProperties: false,
  minProperties: 1,
  description: 'a value it must equal, or {contains | matches | equals | exists}',
} as const

/** A value that is one of some words, or an object. */
export function wordOrObject<const Words extends object, const Fields extends object>(
  words: Words,
  fields: Fields,
  description: string,
) {
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
  return { ...fields, type: ['string', 'object'], if: { type: 'string' }, then: words, description } as const
}

/** A kind of prompt tag: how its value is read, and its help. */
export interface Tag<Drawn> {
  /** Undefined for a value that is not allowed; `''` means no value. */
  read(value: string): Drawn | undefined
  /** The allowed values, when they can be listed. */
  values?: readonly string[]
  /** What follows the colon, in words; absent for a tag without a value. */
  wants?: string
  /** Example values, with the effect of each. */
  examples: readonly TagExample[]
}

/** An example value (`''` for a tag without one), and its effect. */
export interface TagExample {
  value: string
  does: string
}

/** A tag with one of a few values. */
export function choiceTag<Drawn>(
  choices: Readonly<Record<string, Drawn>>,
  examples: readonly TagExample[] = [],
): Tag<Drawn> {
  const values = Object.keys(choices)
  return {
    values,
    wants: `one of ${values.join(', ')}`,
    read: value => (Object.hasOwn(choices, value) ? choices[value] : undefined),
    examples,
  }
}

/** A tag that takes a duration, given in ms. */
export function durationTag<Drawn>(
  effect: (ms: number) => Drawn,
  examples: readonly TagExample[] = [],
): Tag<Drawn> {
  return {
    wants: 'a duration such as 30s',
    read: value => {
      const ms = readDuration(value)
      return ms === undefined ? undefined : effect(ms)
    },
    examples,
  }
}

/** A tag that takes no value. */
export function bareTag<Drawn>(effect: Drawn, does: string): Tag<Drawn> {
  return { read: value => (value === '' ? effect : undefined), examples: [{ value: '', does }] }
}
