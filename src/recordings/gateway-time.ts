import { type GatewayEntry, headerOf } from './har.ts'

/** A wall clock and the gateway's own that drift no further apart than this are one. Milliseconds. */
const sameClockMs = 2500
const secondMs = 1000

/** When the gateway saw each request, in milliseconds. */
export interface GatewayTimes {
  /** The first moment, epoch ms. */
  startsAt: number
  /** Whole milliseconds after the first moment, two apart at least. */
  offsets: number[]
  /** By how much the gateway's own moment may lie elsewhere. */
  within: number[]
}

/**
 * When each request was seen, by the gateway's clock. A request is seen between its start and its reply: of reads the start is
 * taken, of all others the reply. An emulator may run at any speed, and then its `Date` tells the time in whole seconds:
 * entries of one second are spread over it in their order.
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

/** When a request was answered, epoch ms: of the wall clock, or of an emulator's where its journal tells it. */
export function endOf(entry: GatewayEntry): number {
  return startOf(entry) + (entry._gateway?.clock_ms ? 0 : Math.max(0, entry.time))
}

function isRead({ request }: GatewayEntry): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

/** How many of the entries, which are in the order of their replies, were answered when each began. */
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

/** Each date must fit between the start and the reply of its request, however long that took. */
function isOneClock(entries: readonly GatewayEntry[], dates: readonly number[]): boolean {
  const known = entries.flatMap((entry, i) => {
    const date = dates[i] ?? Number.NaN
    return Number.isNaN(date) ? [] : [{ from: startOf(entry) - date, to: endOf(entry) - date }]
  })
  return Math.max(...known.map(({ from }) => from)) - Math.min(...known.map(({ to }) => to)) <= sameClockMs
}

/** A reply without a date came no earlier than the one before it. */
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

/** Two entries are two milliseconds apart, so that a task can begin and end between them. */
function rising(times: readonly number[], within: (place: number) => number): GatewayTimes {
  const startsAt = Math.floor(times[0] ?? 0)
  let last = -2
  const offsets = times.map(at => {
    last = Math.max(Math.floor(at) - startsAt, last + 2)
    return last
  })
  return { startsAt, offsets, within: times.map((_, place) => within(place)) }
}
