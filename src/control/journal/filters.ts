import { readTraceId } from '../../http/trace-parent.ts'
import { parseMoment } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import { badRequest } from '../control-error.ts'

/** The trace id in a text. Throws 400, naming the parameter. */
export function traceIn(trace: string, path: string): string {
  const id = readTraceId(trace)
  if (id !== undefined) return id
  throw badRequest(
    `${JSON.stringify(trace)} is neither a trace id of 32 hexadecimal digits nor a traceparent`,
    { path },
  )
}

/** From this number on, a number is epoch milliseconds; a smaller one is the number of an entry. */
const smallestMoment = 1_000_000_000

/** Reads `since`: which entries come later. Throws 400. */
export function startOf(since: string): (entry: Entry) => boolean {
  const number = Number(since)
  // A journal never has this many entries, and as a moment this number is in the first twelve days of 1970.
  if (/^\d+$/.test(since) && number < smallestMoment) return entry => entry.id > number
  const at = parseMoment(/^\d+$/.test(since) ? Number(since) : since)
  if (at === undefined)
    throw badRequest(`${JSON.stringify(since)} is neither a moment nor the id of an entry`, { path: 'since' })
  return entry => entry.at >= at
}
