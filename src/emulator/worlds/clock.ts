import type { Random } from './random.ts'
import { ms, record, type Value } from './record-values.ts'

/** The time of the machine, also while a test in this process replaces `Date` and `performance` by fake ones: no wait would end by those. */
export const realTime = {
  /** Epoch milliseconds. Time servers and users may set it back. */
  wallNow: Date.now.bind(Date),
  /** Milliseconds since the start of the process. */
  elapsedMs: performance.now.bind(performance),
  /** Epoch milliseconds with their parts, as files have them. The clock may have been set back or forth since the start of the process. */
  fineWallNow(): number {
    const fine = performance.timeOrigin + realTime.elapsedMs()
    const whole = realTime.wallNow()
    return Math.abs(fine - whole) < 2 ? fine : whole
  },
}

/** How virtual time moves. */
export const clockModes = ['realtime', 'manual', 'auto'] as const
/** How a world's clock moves: with the wall clock times `rate`, only by `advance`, or also by itself when a poll sees nothing new. */
export type ClockMode = (typeof clockModes)[number]

/** The schema of a clock in data files and state documents. */
export const clockSchema = record({
  mode: { enum: clockModes },
  /** Virtual milliseconds per wall millisecond, in realtime mode. */
  rate: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 },
  virtualMs: ms,
  wallMs: ms,
})

/** A clock as data: virtual time was `virtualMs` when `steadyNow()` was `wallMs`. */
export type Clock = Value<typeof clockSchema>

const started = { wallMs: realTime.wallNow(), steadyMs: realTime.elapsedMs() }

/** Wall time at the start of the process and the time since then, which no change of the machine's clock touches (A-steady). */
export function steadyNow(): number {
  return started.wallMs + Math.floor(realTime.elapsedMs() - started.steadyMs)
}

/** Virtual now in epoch milliseconds; it stops at the end of virtual time. */
export function clockNow(clock: Clock, wallMs: number): number {
  if (clock.mode !== 'realtime') return clock.virtualMs
  return inRange(clock.virtualMs + Math.max(0, Math.floor((wallMs - clock.wallMs) * clock.rate)))
}

/**
 * A stored clock in a new process: the pause counts, as long as the machine's clock shows a later time than before. Virtual time does not
 * go back behind `reachedAt` when another host, or a corrected clock, shows an earlier time.
 */
export function continued(clock: Clock, reachedAt = 0): Clock {
  if (clock.mode !== 'realtime') return clock
  const virtualMs = inRange(Math.max(clockNow(clock, realTime.wallNow()), reachedAt))
  return { ...clock, virtualMs, wallMs: steadyNow() }
}

/** A virtual moment, ms, not after the end of virtual time: nothing that is planned passes it. */
export function inRange(at: number): number {
  return Math.min(at, latestMs)
}

/** The clock with this moment as its new start, so that a change of mode or rate does not make time jump. */
export function reclocked(clock: Clock, wallMs: number, change: Partial<Omit<Clock, 'wallMs'>>): Clock {
  return { ...clock, virtualMs: clockNow(clock, wallMs), wallMs, ...change }
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `250ms`, `90s`, `5m`, `2h`, `7d`, joined forms such as `1h30m`, or a number of milliseconds; undefined for any other text. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined
  if (typeof value !== 'string' || !/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(value)) return undefined
  let total = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMs[unit ?? ''] ?? 0)
  }
  return Number.isFinite(total) ? Math.round(total) : undefined
}

const isoMoment = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * Reads an ISO 8601 moment or epoch milliseconds; undefined when it is neither. A moment without an offset is UTC (A-moments): a
 * run must not depend on the time zone of its machine.
 */
export function parseMoment(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined
  const [text, offset] = typeof value === 'string' ? (isoMoment.exec(value) ?? []) : []
  if (text === undefined) return undefined
  const ms = Date.parse(text.length > 10 && offset === undefined ? `${text}Z` : text)
  return Number.isNaN(ms) || !isDay(text.slice(0, 10)) ? undefined : ms
}

/** Whether a day exists in the calendar: JavaScript reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

/** The range of virtual time, in words. Links and wire formats carry whole seconds since 1970. */
const rangeText = '1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z'

/** Reads a moment within the range of virtual time, in epoch milliseconds; or returns what is wrong. `shown`: the value as the caller wrote it. */
export function readMoment(
  value: unknown,
  shown = JSON.stringify(value),
): { ms: number } | { fault: string } {
  const isBefore = typeof value === 'number' && value < 0
  const ms = isBefore ? value : parseMoment(value)
  if (ms === undefined) return { fault: `${shown} is not a moment such as 2026-01-01T00:00:00Z` }
  if (ms >= 0 && ms <= latestMs) return { ms }
  return { fault: `${shown} is outside the range of virtual time, ${rangeText}` }
}

/** Reads a rate: 60, "60", "60x"; undefined when it is not a positive number. */
export function parseRate(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.replace(/x$/, '') : value
  const rate = typeof text === 'string' && text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(rate) && rate > 0 && rate <= 1_000_000 ? rate : undefined
}

/**
 * Lines of a log in order, each behind its virtual time of day, UTC. Where the day is another one than in the line before, a line
 * with the date stands between.
 */
export function dayMarked(items: readonly { at: string; text: string }[]): string[] {
  return items.flatMap(({ at, text }, index) => {
    const line = `${at.slice(11, 23)}  ${text}`
    const before = items[index - 1]?.at.slice(0, 10) ?? at.slice(0, 10)
    return before === at.slice(0, 10) ? [line] : [`--- ${at.slice(0, 10)} ---`, line]
  })
}

/** A moment of virtual time, epoch ms, as ISO 8601. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** The end of virtual time, 9999-12-31T23:59:59Z: ISO 8601 has no common form for later years. */
export const latestMs: number = ms.maximum

/** A length of time in milliseconds, in the format of the control API: `1h30m`, `250ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  let rest = ms
  let out = ''
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const size = unitMs[unit] ?? 1
    const count = Math.floor(rest / size)
    if (count > 0) out += `${count}${unit}`
    rest -= count * size
  }
  return out
}

/** Without vowels, so that ids contain no words, and without characters that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** `<kind>-YYYYMMDDHHMMSS-xxxxx`, the time in UTC+8: the upstream form of ids. */
export function stampedId(kind: string, random: Random, now: number): string {
  return `${kind}-${stampOf(now)}-${random.text(alphabet, 5)}`
}

/** One number has all digits, and is written in a sixth of the time that cutting an ISO text takes: it is part of every create. */
function stampOf(ms: number): string {
  const at = new Date(inRange(ms + 8 * 3_600_000))
  const date = (at.getUTCFullYear() * 100 + at.getUTCMonth() + 1) * 100 + at.getUTCDate()
  const time = (at.getUTCHours() * 100 + at.getUTCMinutes()) * 100 + at.getUTCSeconds()
  return String(date * 1_000_000 + time)
}
