import type { Calls } from '../amounts.ts'
import type { RequestFacts } from '../request-facts.ts'
import type { Steps } from '../scenario-error.ts'

/** One condition on a request, with its value as written. */
export interface Condition {
  /** The key in `when`: `prompt`, `header`, … */
  field: string
  asked: unknown
  /** The value in the request. */
  found(request: RequestFacts): unknown
  holds(request: RequestFacts, labelOf: LabelOf): boolean
}

/** The label that a rule gave a task. */
export type LabelOf = (taskId: string) => string | undefined

/** The parsed conditions of a rule. */
export interface When {
  /** The operations of the rule. */
  operations: ReadonlySet<string>
  /** Conditions on the request itself, without the operation. */
  conditions: readonly Condition[]
  calls?: Calls
  /** Virtual ms since the scenario became active; `to` is excluded. */
  during?: Period
  /** The rule acts from one call on. */
  since?: Since
  probability?: number
}

/** The call from which a rule acts, that call included; `forMs` is virtual, from that call. */
export interface Since {
  operations: ReadonlySet<string>
  /** Counted from 1. */
  call: number
  forMs: number
}

/** A span of virtual ms; `toMs` is excluded. */
export interface Period {
  fromMs: number
  toMs: number
}

/** One word of `when`: its schema, the function that reads it, and its text for dry runs. */
export interface ConditionWord<Spelled> {
  schema: object
  /** Its part of a rule's conditions. Throws ScenarioError for invalid values. */
  read(spelled: Spelled, steps: Steps): Partial<When>
  /** The condition in words, for a dry run that cannot evaluate it; undefined when it can. */
  doubt?(when: When): string | undefined
}
