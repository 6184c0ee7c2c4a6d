import type { ScenarioDocument, SpelledThen } from '../scenarios/scenario.ts'
import { type Clock, clockSchema } from './clock.ts'
import { count, counters, id, ids, ms, type RecordSchema, text } from './record-values.ts'

/** A scenario that acts in a world, and the virtual moment since when. */
export interface ActiveScenario {
  name: string
  since: number
}

/** A rule that acts once: on the `left`-th call, counted from now, of an operation (`POST /__emulator/inject`). */
export interface Injection {
  id: string
  /** An operation id or a glob. */
  operation: string
  /** Which call it was asked for, counted from 1. */
  nth: number
  /** How many calls are left, the one it acts on included. */
  left: number
  /** What happens, as scenario files spell it. */
  then: SpelledThen
}

/** How a world was opened; `reset` goes back to it. */
export interface Opening {
  seed: number
  clock: Clock
  scenarios: readonly string[]
  /** Those of them that only this world was given. */
  documents?: readonly ScenarioDocument[]
  /** True when a key opened it: such a world may be dropped when there are too many. */
  byKey: boolean
}

/** The small record of a world that changes with every create. */
export interface Head {
  opening: Opening
  openedAt: number
  clock: Clock
  /** How often each kind of thing was drawn: with the seed, all that randomness depends on. */
  draws: Record<string, number>
  active: ActiveScenario[]
  /** How often each scenario rule was tried, by `scenario/rule`. */
  counters: Record<string, number>
  /** Rules that act once and have not acted yet, oldest first; absent when there are none. */
  injections?: readonly Injection[]
  /** How often this world was read back from disk; keeps request ids of different runs apart. */
  boots: number
}

const openingSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['seed', 'clock', 'scenarios', 'byKey'],
  properties: {
    seed: count,
    clock: clockSchema,
    scenarios: ids,
    documents: { type: 'array', maxItems: 100, items: { type: 'object' } },
    byKey: { type: 'boolean' },
  },
} as const satisfies RecordSchema<Opening>

const activeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'since'],
  properties: { name: id, since: ms },
} as const satisfies RecordSchema<ActiveScenario>

const injectionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'operation', 'nth', 'left', 'then'],
  properties: {
    id,
    operation: text,
    nth: count,
    left: { ...count, minimum: 1 },
    // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
    then: { type: 'object' },
  },
} as const satisfies RecordSchema<Injection>

/** A head as documents hold it: without the count of runs, which is of one data directory. */
export const headSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['opening', 'openedAt', 'clock', 'draws', 'active', 'counters'],
  properties: {
    opening: openingSchema,
    openedAt: ms,
    clock: clockSchema,
    draws: counters,
    active: { type: 'array', maxItems: 1000, items: activeSchema },
    counters,
    injections: { type: 'array', maxItems: 1000, items: injectionSchema },
  },
} as const satisfies RecordSchema<Omit<Head, 'boots'>>

/** A head as data directories hold it. */
export const storedHeadSchema = {
  ...headSchema,
  required: [...headSchema.required, 'boots'],
  properties: { ...headSchema.properties, boots: count },
} as const satisfies RecordSchema<Head>
