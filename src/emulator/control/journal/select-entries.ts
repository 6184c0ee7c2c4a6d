import type { RequestFilter } from '../../../kits/views.ts'
import { readTraceId } from '../../http/trace-parent.ts'
import { iso, parseMoment } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { badRequest } from '../control-error.ts'
import { effectTexts } from './entry-view.ts'

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

/** Whether a journal entry is of a kind. */
export const kinds: Readonly<Record<NonNullable<RequestFilter['kind']>, (entry: Entry) => boolean>> = {
  refused: ({ status }) => status >= 400,
  broken: ({ broken }) => broken !== undefined,
  rule: ({ rule }) => rule !== undefined,
  unread: ({ unread }) => unread !== undefined,
}

/** Tests whether an entry contains every word of a search: in its ids, path, headers, bodies and causes. */
export function searchOf(search: string): (entry: Entry) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return entry => {
    const text = textOf(entry)
    return words.every(word => text.includes(word))
  }
}

function textOf(entry: Entry): string {
  const { method, url, operation, account, status, requestId, rule, fault, param, broken } = entry
  const { connection, media } = effectTexts(entry)
  const facts = [method, url, operation, account, status, requestId, rule, fault, param, broken, media]
  const sent = [...entry.requestHeaders, entry.requestBody, connection]
  const answered = [JSON.stringify(entry.responseHeaders), entry.responseBody, ...(entry.taskIds ?? [])]
  const text = [...facts, ...sent, ...answered].filter(part => part !== undefined).join(' ')
  return plain(text).toLowerCase()
}

/** Some clients escape every letter outside ASCII. */
function plain(text: string): string {
  if (!text.includes('\\u')) return text
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/**
 * Which journal entries of a world were dropped, as the second half of a sentence; undefined when all entries since the world
 * opened, was reset or had its journal emptied are kept. `since`: only entries dropped from this virtual moment on count.
 */
export function droppedEntries({ journal }: World, since = Number.NEGATIVE_INFINITY): string | undefined {
  const { dropped } = journal
  if (!dropped || dropped.at < since) return undefined
  return `the journal was full, and its entries up to number ${dropped.lastId} (${iso(dropped.at)}) were dropped`
}
