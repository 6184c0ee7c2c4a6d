import { type Budgeted, createJournalBudget, type JournalBudget, longestShared } from './journal-budget.ts'

/** One exchange as it was recorded: references to what the request and reply were made of; nothing is rendered until somebody asks. */
export interface NewEntry {
  at: number
  account: string | undefined
  operation: string
  method: string
  url: string
  status: number
  requestId: string
  durationMs: number
  /** When it came, in milliseconds of this process's steady clock. */
  startedMs: number
  /** Name, value, name, value, … as they came. */
  requestHeaders: readonly string[]
  requestBody: string | undefined
  responseHeaders: Record<string, string | number>
  responseBody: string | undefined
  taskIds?: readonly string[] | undefined
  rule?: string | undefined
  fault?: string | undefined
  unread?: readonly string[] | undefined
  /** What a scenario did to the connection that carried the reply, in words; `lost` when the client cannot have read it. */
  connection?: { text: string; lost: boolean } | undefined
  /** What a scenario did to the bytes of a download. */
  media?: string | undefined
}

/** An exchange with its number in the journal. */
export interface Entry extends NewEntry {
  id: number
}

/** Something that happened, as live listeners hear it. */
export type JournalEvent =
  | { kind: 'request'; entry: Entry }
  | { kind: 'transition'; at: number; taskId: string; family: string; from: string; to: string }
  | { kind: 'clock'; at: number }
  | { kind: 'download'; at: number; taskId: string }
  | { kind: 'reset'; at: number }
  | { kind: 'restored'; at: number }
  | { kind: 'dropped'; at: number }

/** Up to where a journal has dropped its entries. */
export interface Dropped {
  lastId: number
  at: number
}

/** The bounded record of a world's exchanges, oldest dropped first, and the place where listeners hang. */
export interface Journal {
  add(entry: NewEntry): void
  /** Kept entries, oldest first. */
  entries(): Entry[]
  clear(): void
  /** Forgets the entries after the one of that number: what a restored world has not yet lived through. */
  forgetAfter(id: number): void
  /** The number of the newest entry ever added. */
  readonly lastId: number
  /** How many exchanges there were in all, by operation and status; never bounded by the ring, never cleared. */
  readonly counts: ReadonlyMap<string, number>
  readonly listeners: Set<(event: JournalEvent) => void>
  announce(event: JournalEvent): void
  readonly bytes: number
  /** The newest entry that was dropped because the journal was full: its number and virtual moment. Undefined when all are kept. */
  readonly dropped: Dropped | undefined
  /** How many entries are kept. */
  readonly size: number
}

const maxEntries = 10_000
const maxBytes = 24 * 1024 * 1024
/** The entry itself with its response headers, roughly, in bytes. */
const entryOverhead = 600

/** An empty journal. Bounded by entries and by bytes, so that a busy world cannot fill the memory. */
export function createJournal(budget: JournalBudget = createJournalBudget(maxBytes)): Journal {
  let ring: (Entry | undefined)[] = []
  let start = 0
  let nextId = 1
  let bytes = 0
  let dropped: Dropped | undefined
  const counts = new Map<string, number>()
  const listeners = new Set<(event: JournalEvent) => void>()
  const announce = (event: JournalEvent) => {
    for (const listener of listeners) listener(event)
  }
  let lastHeaders: readonly string[] = []
  const weigh = (change: number) => {
    bytes += change
    budget.weigh(change)
  }
  const dropOldest = () => {
    const entry = ring[start]
    if (entry) {
      weigh(-weightOf(entry))
      dropped = { lastId: entry.id, at: entry.at }
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
    listeners,
    announce,
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
      // A client's requests mostly carry the same headers: one copy of them is kept, and the rest can go at once.
      if (isSame(entry.requestHeaders, lastHeaders)) entry.requestHeaders = lastHeaders
      else {
        entry.requestHeaders = entry.requestHeaders.map(budget.shared)
        lastHeaders = entry.requestHeaders
      }
      entry.url = budget.shared(entry.url)
      if (entry.requestBody !== undefined) entry.requestBody = budget.shared(entry.requestBody)
      entry.id = nextId++
      ring.push(entry)
      weigh(weightOf(entry))
      const count = `${entry.operation} ${entry.status}`
      counts.set(count, (counts.get(count) ?? 0) + 1)
      while (ring.length - start > maxEntries || (bytes > maxBytes && ring.length - start > 1)) dropOldest()
      budget.keep(self)
      if (listeners.size > 0) announce({ kind: 'request', entry })
    },
    entries: () => ring.slice(start).filter(entry => entry !== undefined),
    forgetAfter(id) {
      for (let last = ring.at(-1); ring.length > start && last && last.id > id; last = ring.at(-1)) {
        weigh(-weightOf(last))
        ring.pop()
      }
    },
    clear() {
      ring = []
      start = 0
      dropped = undefined
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

/** Roughly the bytes that an entry holds; the same each time it is asked, so that what was added can be taken away. */
function weightOf({ url, requestHeaders, requestBody, responseBody, unread }: NewEntry): number {
  const texts = weightOfText(url) + weightOfText(requestBody) + (responseBody?.length ?? 0)
  return entryOverhead + texts + weightOfTexts(requestHeaders) + (unread ? weightOfTexts(unread) : 0)
}

function weightOfTexts(texts: readonly string[]): number {
  let weight = 0
  for (const text of texts) weight += weightOfText(text)
  return weight
}

/** Short texts are shared or small; what is left of them is the place where they are named. */
function weightOfText(text = ''): number {
  return text.length > longestShared ? text.length : 8
}
