import type { Entry } from './journal.ts'

/** An event for live listeners. */
export type JournalEvent =
  | { kind: 'request'; entry: Entry }
  | { kind: 'transition'; at: number; taskId: string; family: string; from: string; to: string }
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
export interface Events {
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
export function createEvents(run: number): Events {
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
