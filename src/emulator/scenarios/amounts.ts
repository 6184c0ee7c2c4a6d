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
export function readDuration(value: unknown): number | undefined {
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

/** A duration in ms. Throws ScenarioError when it is not a duration or is longer than ten years. */
export function needDuration(spelled: unknown, steps: Steps): number {
  const ms = readDuration(spelled)
  if (ms !== undefined) return ms
  const hint = 'write 250ms, 90s, 5m, 2h, 7d or 1h30m, at most 3650d'
  throw new ScenarioError(`"${spelled}" is not a duration`, { steps, hint })
}

/** Bytes per second. Throws ScenarioError when it is not a speed. */
export function needSpeed(spelled: unknown, steps: Steps): number {
  const speed = readBytesPerSecond(spelled)
  if (speed !== undefined) return speed
  const hint = 'write 64kB/s, 8KiB/s or bytes a second'
  throw new ScenarioError(`"${spelled}" is not a speed`, { steps, hint })
}

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
