import type { RequestFilter } from '../../../kits/views.ts'
import { namesOfModel } from '../../families/models.ts'
import { readTraceId } from '../../http/headers.ts'
import { iso, parseMoment } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { badRequest } from '../control-error.ts'
import { effectTexts, promptOf } from './entry-view.ts'

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

/** What the words before a colon ask of an entry. A word that is being typed counts as the beginning of the value. */
const asked: Readonly<Record<string, (value: string, now: number) => (entry: Entry) => boolean>> = {
  status: value => statusLike(value.replace(/x+$/, '')),
  op: value => entry => entry.operation.includes(value),
  account: value => entry => (entry.account ?? '').startsWith(value),
  service: value => entry => (entry.service ?? '').startsWith(value),
  task: value => entry => entry.taskIds?.some(id => id.includes(value)) ?? false,
  after: (value, now) => {
    const from = momentOf('after', value, now)
    return entry => entry.at >= from
  },
  before: (value, now) => {
    const to = momentOf('before', value, now)
    return entry => entry.at < to
  },
}

function statusLike(digits: string): (entry: Entry) => boolean {
  if (!/^\d{0,3}$/.test(digits))
    throw badRequest(`status:${digits} is not a status: write status:400 or status:4xx`, { path: 'search' })
  return ({ status }) => String(status).startsWith(digits)
}

/** A time of day (UTC) is the last one that has come; anything else is a moment as ISO 8601. Epoch ms. */
function momentOf(word: string, value: string, now: number): number {
  const [, hours, minutes = 0, seconds = 0] =
    /^(\d{1,2})(?::(\d{0,2})(?::(\d{0,2}(?:\.\d*)?))?)?$/.exec(value) ?? []
  if (hours !== undefined && Number(hours) < 24 && Math.max(Number(minutes), Number(seconds)) < 60) {
    const day = now - (now % 86_400_000)
    const at = day + Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000
    return at > now ? at - 86_400_000 : at
  }
  const at = parseMoment(value.toUpperCase())
  if (at !== undefined) return at
  throw badRequest(`${word}:${value} is not a time: write ${word}:08:01:30 or ${word}:2026-03-01T08:01:30Z`, {
    path: 'search',
  })
}

/**
 * Tests whether an entry has every word of a search: in its ids, path, headers, bodies and causes, in the prompt of its task and in all
 * names of its model. Words such as `status:400` ask for one fact, and so does a status alone. Throws 400.
 */
export function searchOf(search: string, world: World): (entry: Entry) => boolean {
  const now = nowIn(world)
  const parts = search.toLowerCase().match(/"[^"]+"(?!\S)|\S+/g) ?? []
  const tests = parts.map(word => {
    if (/^[1-5]\d\d$/.test(word)) return statusLike(word)
    const [, name = '', value = ''] = /^([a-z]+):(.*)$/.exec(word) ?? []
    if (Object.hasOwn(asked, name)) return value === '' ? () => true : asked[name]?.(value, now)
    const text = /^"(.+)"$/.exec(word)?.[1] ?? word
    return { text }
  })
  const words = tests.flatMap(test => (typeof test === 'object' ? test.text : []))
  const facts = tests.filter(test => typeof test === 'function')
  return entry => {
    if (!facts.every(holds => holds(entry))) return false
    if (words.length === 0) return true
    const text = `${textOf(entry)} ${aboutTask(entry, world)}`
    return words.every(word => text.includes(word))
  }
}

/** Prompt and model of the task of an entry, with all names of the model. */
function aboutTask({ taskIds: [id = ''] = [], requestBody = '' }: Entry, { state }: World): string {
  const task = state.tasks.get(id)
  const [, sent = ''] = /"model"\s*:\s*"([^"]+)"/.exec(requestBody) ?? []
  const names = namesOfModel(task?.model ?? sent).join(' ')
  return `${names} ${task ? promptOf(JSON.parse(task.request)) : ''}`.toLowerCase()
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
