import { type Budgeted, createJournalBudget, type JournalBudget, longestShared } from './journal-budget.ts'

/** One recorded exchange. It holds references to the parts of request and reply; they are turned into text only when a caller reads them. */
export interface NewEntry {
  at: number
  account: string | undefined
  /** Which key of the account; undefined for its first one. */
  keyLabel?: string | undefined
  /** Which service of the world sent it; undefined when nobody known did. */
  service?: string | undefined
  operation: string
  method: string
  url: string
  status: number
  requestId: string
  durationMs: number
  /** When the request came, in milliseconds of this process's monotonic clock. */
  startedMs: number
  /** The same in virtual time, epoch ms; `at` is when the reply began. */
  cameAt?: number
  /** The end of the reply; undefined while it is sent. */
  end?: ReplyEnd | undefined
  /** When a reply that waited for another call's was let go, or one that hung was released. */
  released?: Moment | undefined
  /** Name, value, name, value, … in the order received. */
  requestHeaders: readonly string[]
  requestBody: string | undefined
  responseHeaders: Record<string, string | number>
  responseBody: string | undefined
  taskIds?: readonly string[] | undefined
  rule?: string | undefined
  fault?: string | undefined
  /** The path of the parameter that a refusal is about, as callers write it. */
  param?: string | undefined
  unread?: readonly string[] | undefined
  /** What was done to the reply and its file. */
  effects?: readonly RequestEffect[] | undefined
  /** True when the client cannot have read the reply. */
  lost?: boolean | undefined
  /** True when a rule, and not the service, refused. */
  scripted?: boolean
  /** How the reply is broken, whatever its status says; undefined for a whole reply. */
  broken?: Broken | undefined
  /** All effects of scenarios on the request, as they were drawn. */
  drawn?: object | undefined
  /** Which call of its operation it is, as rules count them; undefined when they have not counted it. */
  nth?: number | undefined
}

/** A moment of a world. */
export interface Moment {
  /** Virtual, epoch ms. */
  at: number
  /** On this process's monotonic clock. */
  ms: number
}

/** How a reply ended. */
export interface ReplyEnd extends Moment {
  /** False when the connection was closed before all was sent. */
  isWhole: boolean
  /** Bytes of a file that went to the connection; undefined for other replies. */
  fileBytes?: number | undefined
}

/** How a reply that a client cannot use is broken, in a word. */
export type Broken = 'cut' | 'reset' | 'stalled' | 'empty' | 'wrong_type' | 'garbled'

/** What was done to the connection that carries a reply. Amounts are as they were drawn; `place` is where the reply ends, unless it was `released`. */
export type ConnectionEffect =
  | { kind: 'latency'; ms: number }
  | { kind: 'hang'; place: 'before_request' | 'before_headers'; released?: true }
  | { kind: 'reset'; place: 'before_request' | 'before_headers' | 'after_headers' | 'mid_body' }
  | { kind: 'throttle'; bytes_per_second: number }
  | { kind: 'garble' }
  | { kind: 'after'; operation: string; call: number; order: 'held' | 'after' | 'not_answered' | 'itself' }

type AfterEffect = Extract<ConnectionEffect, { kind: 'after' }>

/** A call of a world: an operation, and which of its calls, counted from 1 as rules count them. */
export type OneCall = Pick<AfterEffect, 'operation' | 'call'>

/**
 * What became of a reply that another call's must come before: it is `held`, it came `after` the other, the other was `not_answered`
 * in time, or it was not held, because the other call is the one that it answers `itself`.
 */
export type ReplyOrder = AfterEffect['order']

/** What is wrong with a file or its link. `share`: the part of the file, 0 to 1, that is sent, and all of it after the reply was `released`. */
export type MediaEffect =
  | { kind: 'truncated'; share: number }
  | { kind: 'stall'; share: number; released?: true }
  | { kind: 'slow'; bytes_per_second: number }
  | { kind: 'empty' | 'corrupt' | 'wrong_type' | 'missing_url' | 'link_expired' | 'link_exhausted' }

/** What was done to a reply or its file, as data. Texts are made from it; who judges replies switches on `kind`. */
export type RequestEffect = ConnectionEffect | MediaEffect

/** An exchange with its number in the journal. */
export interface Entry extends NewEntry {
  id: number
  /** Its approximate size, for the journal's limit. */
  bytes: number
  /** Its number among the events of the world; absent when nobody had ever listened. */
  event?: number | undefined
}

/** The newest entry that a journal has dropped. */
export interface Dropped {
  lastId: number
  at: number
}

/** The content of a journal. */
export interface History {
  entries: readonly Entry[]
  dropped: Dropped | undefined
}

/** The limited record of a world's exchanges, oldest dropped first. */
export interface Journal {
  add(entry: NewEntry): void
  /** Kept entries, oldest first. */
  entries(): Entry[]
  clear(): void
  /** The kept entries, and the newest that was dropped: what `putBack` takes. */
  history(): History
  /** Puts entries back before the present ones, for example after `clear`. */
  putBack(history: History): void
  /** Removes the entries after this number: in a restored world they have not happened. */
  forgetAfter(id: number): void
  /** The number of the newest entry that was ever added. */
  readonly lastId: number
  /** The number of all exchanges, by operation and status. It includes dropped entries and is never cleared. */
  readonly counts: ReadonlyMap<string, number>
  /** What live listeners hear. */
  readonly events: Events
  readonly bytes: number
  /** The newest entry that was dropped because the journal was full: its number and virtual moment. Undefined when all are kept. */
  readonly dropped: Dropped | undefined
  /** The number of entries that are kept. */
  readonly size: number
}

const maxEntries = 10_000
const maxBytes = 24 * 1024 * 1024
/** The approximate size of an entry with its response headers, in bytes. */
const entryOverhead = 600

/** An empty journal; `run` says how often the world was loaded from disk. Entries and bytes are limited, so that a busy world cannot fill the memory. */
export function createJournal(budget: JournalBudget = createJournalBudget(maxBytes), run = 0): Journal {
  let ring: (Entry | undefined)[] = []
  let start = 0
  let nextId = 1
  let bytes = 0
  let dropped: Dropped | undefined
  const counts = new Map<string, number>()
  const events = createEvents(run)
  let lastHeaders: readonly string[] = []
  const weigh = (change: number) => {
    bytes += change
    budget.weigh(change)
  }
  const dropOldest = () => {
    const entry = ring[start]
    if (entry) {
      weigh(-entry.bytes)
      dropped = { lastId: entry.id, at: entry.at }
      if (entry.event !== undefined) events.lose(entry.event)
    }
    ring[start] = undefined
    start++
    if (start > 1024 && start * 2 > ring.length) {
      ring = ring.slice(start)
      start = 0
    }
  }
  const self: Budgeted = {
    dropOldest,
    get bytes() {
      return bytes
    },
    isEmpty: () => ring.length === start,
  }
  return {
    events,
    counts,
    get size() {
      return ring.length - start
    },
    get lastId() {
      return nextId - 1
    },
    get bytes() {
      return bytes
    },
    get dropped() {
      return dropped
    },
    add(exchange) {
      const entry = exchange as Entry
      // Most requests of a client have the same headers: one copy is kept, and the others can be freed at once.
      if (isSame(entry.requestHeaders, lastHeaders)) entry.requestHeaders = lastHeaders
      else {
        entry.requestHeaders = entry.requestHeaders.map(budget.shared)
        lastHeaders = entry.requestHeaders
      }
      entry.url = budget.shared(entry.url)
      if (entry.requestBody !== undefined) entry.requestBody = budget.shared(entry.requestBody)
      entry.id = nextId++
      entry.bytes = weightOf(entry)
      ring.push(entry)
      weigh(entry.bytes)
      const count = `${entry.operation} ${entry.status}`
      counts.set(count, (counts.get(count) ?? 0) + 1)
      while (ring.length - start > maxEntries || (bytes > maxBytes && ring.length - start > 1)) dropOldest()
      budget.keep(self)
      entry.event = events.announce({ kind: 'request', entry })
    },
    entries: () => ring.slice(start).filter(entry => entry !== undefined),
    forgetAfter(id) {
      for (let last = ring.at(-1); ring.length > start && last && last.id > id; last = ring.at(-1)) {
        weigh(-last.bytes)
        ring.pop()
      }
    },
    history: () => ({ entries: ring.slice(start).filter(entry => entry !== undefined), dropped }),
    putBack(history) {
      ring = [...history.entries, ...ring.slice(start)]
      start = 0
      dropped ??= history.dropped
      for (const entry of history.entries) weigh(entry.bytes)
      while (ring.length > start && (ring.length - start > maxEntries || bytes > maxBytes)) dropOldest()
      budget.keep(self)
    },
    clear() {
      ring = []
      start = 0
      dropped = undefined
      events.lose(events.last)
      weigh(-bytes)
      budget.forget(self)
    },
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

/** The approximate size of an entry, in bytes. */
function weightOf({ url, requestHeaders, requestBody, responseBody, unread }: NewEntry): number {
  const texts = weightOfText(url) + weightOfText(requestBody) + (responseBody?.length ?? 0)
  return entryOverhead + texts + weightOfTexts(requestHeaders) + (unread ? weightOfTexts(unread) : 0)
}

function weightOfTexts(texts: readonly string[]): number {
  let weight = 0
  for (const text of texts) weight += weightOfText(text)
  return weight
}

/** Short texts are shared or small: only the reference to them is counted. */
function weightOfText(text = ''): number {
  return text.length > longestShared ? text.length : 8
}

/** An event for live listeners. */
export type JournalEvent =
  | { kind: 'request'; entry: Entry }
  | { kind: 'transition'; at: number; taskId: string; family: string; from: string; to: string }
  /** By the control API: no request made it. */
  | { kind: 'made'; at: number; taskId: string }
  | { kind: 'clock'; at: number }
  | { kind: 'download'; at: number; taskId: string }
  | { kind: 'reset'; at: number }
  | { kind: 'restored'; at: number }
  | { kind: 'dropped'; at: number }

/** An event and its number in the world's stream. */
export interface Numbered {
  number: number
  event: JournalEvent
}

type Listener = (numbered: Numbered) => void

/** The events of a world from its first listener on, numbered, so that a listener that was away gets what it missed. */
interface Events {
  readonly listeners: ReadonlySet<Listener>
  /** Whether anybody has listened: before, nothing needs a number. */
  readonly isHeard: boolean
  /** The number of the newest event. */
  readonly last: number
  /** Calls `hear` with every event from now on. Returns a function that ends this. */
  listen(hear: Listener): () => void
  /** Numbers an event and tells the listeners. Returns the number; undefined when nobody has ever listened. */
  announce(event: JournalEvent): number | undefined
  /** The journal has dropped the entry with this number: its event cannot be sent again. */
  lose(number: number): void
  /** The events after a number, in order; undefined when some of them are lost, or the number is of another run. */
  since(number: number, entries: readonly Entry[]): Numbered[] | undefined
}

/** How many events are kept, besides requests, which are in the journal. */
const mostKept = 2000
/** Numbers of one run of the emulator; with a data directory, each run begins with the next multiple. */
const numbersInRun = 1e9

/** No events yet. `run` says how often the world was loaded from disk. */
function createEvents(run: number): Events {
  const listeners = new Set<Listener>()
  let last = run * numbersInRun + 1
  let lostUntil = last
  let isHeard = false
  let kept: Numbered[] = []
  return {
    listeners,
    get isHeard() {
      return isHeard
    },
    get last() {
      return last
    },
    listen(hear) {
      isHeard = true
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    announce(event) {
      if (!isHeard) return undefined
      const numbered = { number: ++last, event }
      if (event.kind !== 'request') kept.push(numbered)
      if (kept.length >= 2 * mostKept) {
        lostUntil = Math.max(lostUntil, kept[mostKept - 1]?.number ?? 0)
        kept = kept.slice(mostKept)
      }
      for (const listener of listeners) listener(numbered)
      return last
    },
    lose(number) {
      lostUntil = Math.max(lostUntil, number)
    },
    since(number, entries) {
      if (!isHeard || !(number >= lostUntil && number <= last)) return undefined
      const requests = entries.flatMap(entry =>
        entry.event === undefined
          ? []
          : [{ number: entry.event, event: { kind: 'request' as const, entry } }],
      )
      return [...kept, ...requests]
        .filter(one => one.number > number)
        .sort((one, other) => one.number - other.number)
    },
  }
}
