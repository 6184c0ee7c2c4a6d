import { parseDuration } from '../worlds/clock.ts'
import type { Random } from '../worlds/random.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** The longest duration in a scenario: ten years, so that sums stay within the calendar. */
const maxDurationMs = 3650 * 86_400_000

/** A length of virtual time, fixed or drawn from a range, in ms. */
export interface Range {
  from: number
  to: number
}

/** Which calls a rule acts on, counted from 1. */
export type Calls = { kind: 'between'; from: number; to: number } | { kind: 'every'; n: number }

const unitBytes: Record<string, number> = { b: 1, kb: 1000, mb: 1_000_000, kib: 1024, mib: 1_048_576 }

/** A duration of at most ten years in ms; undefined when it is not one. */
function readDuration(value: unknown): number | undefined {
  const ms = parseDuration(value)
  return ms !== undefined && ms <= maxDurationMs ? ms : undefined
}

/** Reads `64kB/s`, `8KiB/s`, `500B/s` or a number of bytes per second; undefined for any other value or below 1. */
export function readBytesPerSecond(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?) ?([kM]?i?B)\/s$/i.exec(value) : undefined
  const bytes = match
    ? Number(match[1]) * (unitBytes[(match[2] ?? '').toLowerCase()] ?? Number.NaN)
    : typeof value === 'number'
      ? value
      : Number.NaN
  return Number.isFinite(bytes) && bytes >= 1 ? Math.round(bytes) : undefined
}

/** Reads `50%` or a number from 0 to 1; undefined when it is neither. */
export function readFraction(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)%$/.exec(value) : undefined
  const fraction = match ? Number(match[1]) / 100 : typeof value === 'number' ? value : Number.NaN
  return fraction >= 0 && fraction <= 1 ? fraction : undefined
}

/** Reads `3`, `1..2`, `every 4`, `from 3`; undefined for any other value. */
export function readCalls(value: unknown): Calls | undefined {
  const match = /^(?:(every|from) )?([1-9]\d{0,8})(?:\.\.([1-9]\d{0,8}))?$/.exec(String(value))
  if (!match) return undefined
  const [, word, first, last] = match
  const n = Number(first)
  if (word && last) return undefined
  if (word === 'every') return { kind: 'every', n }
  if (word === 'from') return { kind: 'between', from: n, to: Number.POSITIVE_INFINITY }
  const to = last ? Number(last) : n
  return to < n ? undefined : { kind: 'between', from: n, to }
}

/** True when the `n`-th call is one of these calls. */
export function isAmong(calls: Calls, n: number): boolean {
  return calls.kind === 'every' ? n % calls.n === 0 : n >= calls.from && n <= calls.to
}

/** A reader of an amount that throws ScenarioError for any other value. */
function needing<T>(read: (spelled: unknown) => T | undefined, what: string, hint: string) {
  return (spelled: unknown, steps: Steps): T => {
    const amount = read(spelled)
    if (amount !== undefined) return amount
    throw new ScenarioError(`"${spelled}" is not ${what}`, { steps, hint })
  }
}

/** A duration in ms, at most ten years. */
export const needDuration = needing(
  readDuration,
  'a duration',
  'write 250ms, 90s, 5m, 2h, 7d or 1h30m, at most 3650d',
)

/** Bytes per second. */
export const needSpeed = needing(readBytesPerSecond, 'a speed', 'write 64kB/s, 8KiB/s or bytes a second')

/** A part of a file, 0 to 1. */
export const needFraction = needing(readFraction, 'a part of a file', 'write a part such as 50% or 0.5')

/** A duration, or a range `{from, to}` to draw one from. Throws ScenarioError. */
export function needRange(spelled: unknown, steps: Steps): Range {
  if (typeof spelled !== 'object' || spelled === null) {
    const ms = needDuration(spelled, steps)
    return { from: ms, to: ms }
  }
  const { from, to } = spelled as Readonly<Record<string, unknown>>
  const range = { from: needDuration(from, [...steps, 'from']), to: needDuration(to, [...steps, 'to']) }
  if (range.to >= range.from) return range
  const hint = 'write the shorter one first'
  throw new ScenarioError(`"to" (${to}) is less than "from" (${from})`, { steps, hint })
}

/** Draws a length from a range; a fixed length needs no draw. */
export function drawRange({ from, to }: Range, random: () => Random): number {
  return from === to ? from : random().integer(from, to)
}

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
