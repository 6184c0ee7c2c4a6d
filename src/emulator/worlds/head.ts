import { clockSchema } from './clock.ts'
import { count, counters, flag, holding, id, ids, ms, record, text, type Value } from './record-values.ts'

/** A scenario document as worlds keep it, checked before it is stored. `scenarios/` knows its whole shape. */
export interface StoredScenario {
  name: string
  description?: string
  /** The document as its author wrote it. */
  $text?: string
  rules: readonly object[]
}

const openingSchema = record(
  {
    seed: count,
    clock: clockSchema,
    scenarios: ids,
    /** True when a key opened it. Such a world may be dropped when there are too many worlds. */
    byKey: flag,
  },
  {
    /** The scenario documents that only this world has. */
    documents: { type: 'array', maxItems: 100, items: holding<StoredScenario>({ type: 'object' }) },
  },
)

/** How a world was opened; `reset` returns to this. */
export type Opening = Value<typeof openingSchema>

const injectionSchema = record({
  id,
  /** An operation id or a glob. */
  operation: text,
  /** The number of the call that was requested, counted from 1. */
  nth: count,
  /** How many calls remain, including the call it acts on. */
  left: { ...count, minimum: 1 },
  /** The effects, as in scenario files; checked before they are stored. */
  // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
  then: { type: 'object' },
})

/** A rule that acts once: on the `left`-th call of an operation, counted from now (`POST /__emulator/inject`). */
export type Injection = Value<typeof injectionSchema>

/** An active scenario of a world, and the virtual moment of its activation. */
const activeSchema = record({ name: id, since: ms })

/** The schema of a head in a data directory. Heads in state documents have no `boots`, which belongs to one directory. */
export const storedHeadSchema = record(
  {
    opening: openingSchema,
    openedAt: ms,
    clock: clockSchema,
    /** The number of draws of each kind. Together with the seed, they decide all random values. */
    draws: counters,
    active: { type: 'array', maxItems: 1000, items: activeSchema },
    /** How often each scenario rule was checked, by `scenario/rule`. */
    counters,
    /** How often this world was loaded from disk, so that request ids differ between runs. */
    boots: count,
  },
  {
    /** Rules that act once and have not acted yet, oldest first; absent when there are none. */
    injections: { type: 'array', maxItems: 1000, items: injectionSchema },
    /** Realtime only: no reply has shown a later virtual moment, so a restart continues from here at the earliest. */
    reachedAt: ms,
  },
)

/** The small record of a world that changes with every create. */
export type Head = Value<typeof storedHeadSchema>
