import { type Clock, clockSchema } from './clock.ts'
import { count, counters, flag, id, ids, ms, record, text } from './record-values.ts'

/** An active scenario of a world, and the virtual moment of its activation. */
export interface ActiveScenario {
  name: string
  since: number
}

/** A rule that acts once: on the `left`-th call of an operation, counted from now (`POST /__emulator/inject`). */
export interface Injection {
  id: string
  /** An operation id or a glob. */
  operation: string
  /** The number of the call that was requested, counted from 1. */
  nth: number
  /** How many calls remain, including the call it acts on. */
  left: number
  /** The effects, as in scenario files; checked before they are stored. */
  then: object
}

/** A scenario document as worlds keep it, checked before it is stored. `scenarios/` knows its whole shape. */
export interface StoredScenario {
  name: string
  description?: string
  /** The document as its author wrote it. */
  $text?: string
  rules: readonly object[]
}

/** How a world was opened; `reset` returns to this. */
export interface Opening {
  seed: number
  clock: Clock
  scenarios: readonly string[]
  /** The scenario documents that only this world has. */
  documents?: readonly StoredScenario[]
  /** True when a key opened it. Such a world may be dropped when there are too many worlds. */
  byKey: boolean
}

/** The small record of a world that changes with every create. */
export interface Head {
  opening: Opening
  openedAt: number
  clock: Clock
  /** The number of draws of each kind. Together with the seed, they decide all random values. */
  draws: Record<string, number>
  active: ActiveScenario[]
  /** How often each scenario rule was checked, by `scenario/rule`. */
  counters: Record<string, number>
  /** Rules that act once and have not acted yet, oldest first; absent when there are none. */
  injections?: readonly Injection[]
  /** How often this world was loaded from disk, so that request ids differ between runs. */
  boots: number
  /** Realtime only: no reply has shown a later virtual moment, so a restart continues from here at the earliest. */
  reachedAt?: number
}

const openingSchema = record<Opening>(
  { seed: count, clock: clockSchema, scenarios: ids, byKey: flag },
  { documents: { type: 'array', maxItems: 100, items: { type: 'object' } } },
)

const injectionSchema = record<Injection>({
  id,
  operation: text,
  nth: count,
  left: { ...count, minimum: 1 },
  // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
  then: { type: 'object' },
})

/** The schema of a head in a data directory. Heads in state documents have no `boots`, which belongs to one directory. */
export const storedHeadSchema = record<Head>(
  {
    opening: openingSchema,
    openedAt: ms,
    clock: clockSchema,
    draws: counters,
    active: { type: 'array', maxItems: 1000, items: record<ActiveScenario>({ name: id, since: ms }) },
    counters,
    boots: count,
  },
  { injections: { type: 'array', maxItems: 1000, items: injectionSchema }, reachedAt: ms },
)
