import { type GatewayEntry, headerOf } from '../har.ts'

/** When the wall clock and the gateway's clock differ by less than this, they count as the same clock. Milliseconds. */
const sameClockMs = 2500
const secondMs = 1000

/** When the gateway saw each request, in milliseconds. */
export interface GatewayTimes {
  /** The first moment, epoch ms. */
  startsAt: number
  /** Whole milliseconds after the first moment. Two entries are at least two apart. */
  offsets: number[]
  /** By how much the gateway's own moment may differ. */
  within: number[]
}

/**
 * When the gateway handled each request, by its clock. That is between the start and the reply of a request: the start is used for
 * reads, the reply for all others. The clock of an emulator may run at any speed; then its `Date` headers give the time in whole
 * seconds, and the entries of one second are spread over it in their order.
 */
export function gatewayTimes(entries: readonly GatewayEntry[]): GatewayTimes {
  const dates = entries.map(entry => Date.parse(headerOf(entry.response.headers, 'date') ?? ''))
  const exact = entries.map(entry => entry._gateway?.clock_ms)
  if (exact.every(at => at !== undefined)) return rising(exact as number[], () => 0)
  if (dates.every(date => Number.isNaN(date)) || isOneClock(entries, dates))
    return rising(
      entries.map(entry => (isRead(entry) ? startOf(entry) : endOf(entry))),
      place => Math.ceil(entries[place]?.time ?? 0),
    )
  return rising(spread(filled(dates)), () => secondMs)
}

/** When a request began, epoch ms of the wall clock. */
function startOf(entry: GatewayEntry): number {
  return Date.parse(entry.startedDateTime)
}

/** When a request was answered, epoch ms of the wall clock, or of the emulator's clock for an entry of its journal. */
export function endOf(entry: GatewayEntry): number {
  return startOf(entry) + (entry._gateway?.clock_ms ? 0 : Math.max(0, entry.time))
}

function isRead({ request }: GatewayEntry): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

/** How many entries were answered when each entry began. The entries are in the order of their replies. */
export function answeredBeforeEach(entries: readonly GatewayEntry[]): number[] {
  const ends = entries.map(endOf)
  return entries.map((entry, place) => {
    const { answered_before: told, clock_ms: isExact } = entry._gateway ?? {}
    if (told !== undefined) return Math.min(told, place)
    if (isExact !== undefined) return place
    const start = startOf(entry)
    const before = ends.findIndex((end, other) => other >= place || end > start)
    return Math.min(place, before)
  })
}

/** Whether one constant difference between the two clocks puts every date between the start and the reply of its request. */
function isOneClock(entries: readonly GatewayEntry[], dates: readonly number[]): boolean {
  const known = entries.flatMap((entry, i) => {
    const date = dates[i] ?? Number.NaN
    return Number.isNaN(date) ? [] : [{ from: startOf(entry) - date, to: endOf(entry) - date }]
  })
  return Math.max(...known.map(({ from }) => from)) - Math.min(...known.map(({ to }) => to)) <= sameClockMs
}

/** A reply without a date is not earlier than the reply before it. */
function filled(dates: readonly number[]): number[] {
  let last = dates.find(date => !Number.isNaN(date)) ?? 0
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

/** Two entries are at least two milliseconds apart, so that a task can begin and end between them. */
function rising(times: readonly number[], within: (place: number) => number): GatewayTimes {
  const startsAt = Math.floor(times[0] ?? 0)
  let last = -2
  const offsets = times.map(at => {
    last = Math.max(Math.floor(at) - startsAt, last + 2)
    return last
  })
  return { startsAt, offsets, within: times.map((_, place) => within(place)) }
}
