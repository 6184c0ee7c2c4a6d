import { downloadOperation } from '../../../emulator/words.ts'
import { rowsOfMissingPath } from '../../spec/cases.ts'
import { at } from '../../spec/json.ts'
import { linksIn } from '../../spec/lives.ts'
import { type GatewayEntry, headerOf, type ReadJson, readJson } from '../har.ts'
import { factsOf, isSynchronous, operationOf } from '../operation.ts'

/** Requests that must be repeated together: the requests about one task, and about all other tasks that these requests name. */
export interface Job {
  steps: Step[]
}

/** One request of a recording that belongs to the API. */
export interface Step {
  /** Its number in the recording, from 1. */
  number: number
  entry: GatewayEntry
  operation: string
  family: string
  method: string
  /** The path below the base address. */
  path: string
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  body: ReadJson
  status: number
  /** The reply as JSON; undefined when it is none. */
  reply: unknown
  /** Virtual milliseconds after the first entry of the recording. For a read it is the start, for any other request the reply. */
  at: number
  /** By how many milliseconds the gateway's own moment may differ. */
  within: number
  /** Its position in the order of the replies, from 0. */
  place: number
  /** How many entries, in the order of the replies, were answered when the request began. */
  answeredBefore: number
  /** The tasks that the request or its reply names. */
  tasks: string[]
  /** The task that it made. */
  makes?: string
  /** True for a link that was requested with a changed query. */
  isTampered?: true
}

/** The content of a recording. */
export interface ReadRecording {
  name: string
  steps: Step[]
  /** Requests whose connection the gateway ended before its reply was complete. */
  brokenOff: Step[]
  /** Virtual time of the first entry, epoch ms. */
  startsAt: number
  /** The number of entries that are not calls of the API, or whose reply is not the gateway's. */
  ignored: number
}

/** The calls of the API in a recording, in order. */
export function readSteps(name: string, entries: readonly GatewayEntry[]): ReadRecording {
  const isOwn = entries.every(({ _gateway: facts }) => facts !== undefined)
  const ordered = entries
    .map((entry, index) => ({ entry, index }))
    // The emulator's recordings are in the order of the replies; browsers write in the order of the requests.
    .sort((a, b) => (isOwn ? 0 : endOf(a.entry) - endOf(b.entry)) || a.index - b.index)
  const inOrder = ordered.map(({ entry }) => entry)
  const { startsAt, offsets, within } = gatewayTimes(inOrder)
  const answeredBefore = answeredBeforeEach(inOrder)
  const links = new Map<string, string>()
  const families = new Map<string, string>()
  const prefix = prefixOf(entries)
  const steps: Step[] = []
  const brokenOff: Step[] = []
  ordered.forEach(({ entry, index }, place) => {
    const when = {
      at: offsets[place] ?? 0,
      within: within[place] ?? 0,
      place,
      answeredBefore: answeredBefore[place] ?? place,
    }
    const step = stepOf(entry, { number: index + 1, ...when, links, families, prefix })
    if (!step) return
    const list = isBrokenOff(entry) ? brokenOff : steps
    list.push(step)
    for (const id of step.tasks) if (!families.has(id)) families.set(id, step.family)
  })
  return { name, steps, brokenOff, startsAt, ignored: entries.length - steps.length - brokenOff.length }
}

function isBrokenOff({ _gateway: facts }: GatewayEntry): boolean {
  return facts?.problem === 'upstream_broke_off' && facts.family !== undefined
}

interface StepContext extends Pick<Step, 'number' | 'at' | 'within' | 'place' | 'answeredBefore'> {
  /** The task of each link that a reply has shown so far. */
  links: Map<string, string>
  /** The family of each task so far. */
  families: ReadonlyMap<string, string>
  /** The beginning of the paths, before the paths of the API. */
  prefix: string
}

function stepOf(entry: GatewayEntry, { links, families, prefix, ...when }: StepContext): Step | undefined {
  const { request, response, _gateway: facts } = entry
  const isWhole = facts?.problem === undefined && response.status !== 0
  if (!(isWhole || isBrokenOff(entry)) || !URL.canParse(request.url)) return undefined
  const url = new URL(request.url)
  const owner = links.get(linkOf(request.url))
  const found = operationAt(entry, prefix)
  const read = readJson(textOf(response.content))
  if (!found && owner === undefined && facts?.operation !== downloadOperation) return undefined
  const step: Step = {
    ...when,
    entry,
    operation: found?.operation ?? downloadOperation,
    family: found?.family ?? families.get(owner ?? '') ?? facts?.family ?? '',
    method: request.method,
    path: found?.path ?? url.pathname,
    params: found?.params ?? {},
    query: url.searchParams,
    body: readJson(request.postData?.text),
    status: response.status,
    reply: read.kind === 'json' ? read.value : undefined,
    tasks: owner === undefined ? [] : [owner],
  }
  if (found) nameTasks(step)
  if (owner !== undefined && !links.has(request.url)) step.isTampered = true
  for (const link of linksIn(step.reply)) {
    const task = step.makes ?? taskOfLink(step, link)
    if (task !== undefined) {
      links.set(linkOf(link), task)
      links.set(link, task)
    }
  }
  return step
}

/** The path in the gateway's base address; empty when it has none. It is the most frequent one before known paths. */
function prefixOf(entries: readonly GatewayEntry[]): string {
  const counts = new Map<string, number>()
  for (const { request, _gateway: facts } of entries) {
    // The recorder knows the base address, and found no operation below it.
    if (facts?.operation === 'unknown') continue
    const pathname = URL.canParse(request.url) ? new URL(request.url).pathname : ''
    const parts = pathname.split('/').filter(Boolean)
    const skip = [0, 1, 2, 3].find(
      many => operationOf(request.method, `/${parts.slice(many).join('/')}`).family !== undefined,
    )
    const prefix = parts
      .slice(0, skip ?? 0)
      .map(part => `/${part}`)
      .join('')
    if (skip !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
}

/** The operation of an entry. A path that the gateway does not know counts as one if the gateway refused it, or a row is about it. */
function operationAt({ request, response, _gateway: facts }: GatewayEntry, prefix: string) {
  const { pathname } = new URL(request.url)
  if (!pathname.startsWith(`${prefix}/`)) return undefined
  const path = pathname.slice(prefix.length)
  const found = operationOf(request.method, path)
  if (found.family !== undefined) return { ...found, family: found.family, path }
  const isRefused = response.status === 404 || response.status === 405 || rowsOfMissingPath(path).length > 0
  const isRefusedPath = facts?.operation === 'unknown' && isRefused
  return isRefusedPath && !path.startsWith('/__emulator') ? { ...found, family: '', path } : undefined
}

/** The id of the task that a reply says was made. */
export function madeIn(reply: unknown): string | undefined {
  return textAt(reply, ['id', 'task_id', 'output.task_id', 'data.id', 'data.task_id'])
}

/** Finds the tasks of a call: the task that it made, the tasks in its path, query or body, and the tasks in its reply. */
function nameTasks(step: Step): void {
  const { operation, family, reply, params, query, status, method } = step
  const named = new Set<string>()
  if (params.task_id) named.add(params.task_id)
  for (const name of ['task_ids', 'external_task_ids', 'filter.task_ids', 'task_id'])
    for (const value of query.getAll(name))
      for (const id of value.split(',')) if (id.trim()) named.add(id.trim())
  if (status < 300 && method === 'POST') {
    const id = isSynchronous(family) ? `${family} ${step.number}` : madeIn(reply)
    if (id !== undefined && !operation.endsWith('.cancel')) {
      step.makes = id
      named.add(id)
    }
  }
  for (const row of rowsOf(reply)) {
    const id = idOf(row)
    if (id !== undefined && !factsOf(family).otherLists?.includes(operation)) named.add(id)
  }
  if (step.body.kind === 'json') {
    for (const path of [['source_task_id'], ['external_task_id'], ['options', 'external_task_id']]) {
      const id = at(step.body.value, ...path)
      if (typeof id === 'string' && id !== '') named.add(id)
    }
  }
  step.tasks = [...named]
}

export function rowsOf(reply: unknown): unknown[] {
  for (const name of ['items', 'data']) {
    const rows = at(reply, name)
    if (Array.isArray(rows)) return rows
  }
  return []
}

export function idOf(row: unknown): string | undefined {
  return textAt(row, ['id', 'task_id'])
}

function taskOfLink({ reply, tasks, params }: Step, link: string): string | undefined {
  const row = rowsOf(reply).find(one => linksIn(one).includes(link))
  return idOf(row) ?? params.task_id ?? (tasks.length === 1 ? tasks[0] : undefined)
}

function textAt(value: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = at(value, ...path.split('.'))
    if (typeof found === 'string' && found !== '') return found
  }
  return undefined
}

export function linkOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url
}

/** The text of a body. Some programs write every body in base64. */
function textOf({ text, encoding }: GatewayEntry['response']['content']): string | undefined {
  return encoding === 'base64' && typeof text === 'string'
    ? Buffer.from(text, 'base64').toString('utf8')
    : text
}

/** When the wall clock and the gateway's clock differ by less than this, they count as the same clock. Milliseconds. */
const sameClockMs = 2500
const secondMs = 1000

/** When the gateway saw each request, in milliseconds. */
interface GatewayTimes {
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
function gatewayTimes(entries: readonly GatewayEntry[]): GatewayTimes {
  const dates = entries.map(entry => Date.parse(headerOf(entry.response.headers, 'date') ?? ''))
  const exact = entries.map(entry => entry._gateway?.clock_ms)
  if (exact.every(at => at !== undefined)) return rising(exact as number[], () => 0)
  if (dates.every(date => Number.isNaN(date)) || isOneClock(entries, dates))
    return rising(
      entries.map(entry => (/^(?:GET|HEAD)$/.test(entry.request.method) ? startOf(entry) : endOf(entry))),
      place => Math.ceil(entries[place]?.time ?? 0),
    )
  return rising(spread(filled(dates)), () => secondMs)
}

function startOf(entry: GatewayEntry): number {
  return Date.parse(entry.startedDateTime)
}

/** When a request was answered, epoch ms of the wall clock, or of the emulator's clock for an entry of its journal. */
function endOf(entry: GatewayEntry): number {
  return startOf(entry) + (entry._gateway?.clock_ms ? 0 : Math.max(0, entry.time))
}

/** How many entries were answered when each entry began. The entries are in the order of their replies. */
function answeredBeforeEach(entries: readonly GatewayEntry[]): number[] {
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
