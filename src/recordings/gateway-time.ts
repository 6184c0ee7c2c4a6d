import { type GatewayEntry, headerOf } from './har.ts'

/** A wall clock and the gateway's own that drift no further apart than this are one. Milliseconds. */
const sameClockMs = 2500
const secondMs = 1000

/**
 * When each reply was given, by the gateway's clock, in milliseconds after the first. An emulator may run at any speed, and then
 * its `Date` tells the time in whole seconds: entries of one second are spread over it in their order.
 */
export function gatewayTimes(entries: readonly GatewayEntry[]): { startsAt: number; offsets: number[] } {
  const wall = entries.map(
    entry => Date.parse(entry.startedDateTime) + (entry._gateway?.clock_ms ? 0 : entry.time),
  )
  const dates = entries.map(entry => Date.parse(headerOf(entry.response.headers, 'date') ?? ''))
  const first = dates.findIndex(date => !Number.isNaN(date))
  const exact = entries.map(entry => entry._gateway?.clock_ms)
  if (exact.every(at => at !== undefined)) return rising(exact as number[])
  if (first < 0 || isOneClock(wall, dates)) return rising(wall)
  return rising(spread(filled(dates)))
}

function isOneClock(wall: readonly number[], dates: readonly number[]): boolean {
  const apart = dates.flatMap((date, i) => (Number.isNaN(date) ? [] : [(wall[i] ?? 0) - date]))
  return Math.max(...apart) - Math.min(...apart) <= sameClockMs
}

/** A reply without a date came no earlier than the one before it. */
function filled(dates: readonly number[]): number[] {
  const known = dates.find(date => !Number.isNaN(date)) ?? 0
  let last = known
  return dates.map(date => {
    if (!Number.isNaN(date)) last = Math.max(last, date)
    return last
  })
}

function spread(dates: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const date of dates) counts.set(date, (counts.get(date) ?? 0) + 1)
  const seen = new Map<number, number>()
  return dates.map(date => {
    const place = (seen.get(date) ?? 0) + 1
    seen.set(date, place)
    return date + Math.floor((place * secondMs) / ((counts.get(date) ?? 0) + 1))
  })
}

/** Two entries never have the same moment, so that a change of state fits between them. */
function rising(times: readonly number[]): { startsAt: number; offsets: number[] } {
  const startsAt = times[0] ?? 0
  let last = Number.NEGATIVE_INFINITY
  const offsets = times.map(at => {
    last = Math.max(at - startsAt, last + 2)
    return last
  })
  return { startsAt, offsets }
}
