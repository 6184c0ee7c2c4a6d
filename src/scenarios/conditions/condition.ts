import type { Calls } from '../amounts.ts'
import type { RequestFacts } from '../request-facts.ts'
import type { Steps } from '../scenario-error.ts'

/** One condition on a request, with the words it was asked for in. */
export interface Condition {
  /** The key in `when`: `prompt`, `header`, … */
  field: string
  asked: unknown
  /** What the request has there. */
  found(request: RequestFacts): unknown
  holds(request: RequestFacts, labelOf: LabelOf): boolean
}

/** The label that a rule gave to a task. */
export type LabelOf = (taskId: string) => string | undefined

/** The conditions of a rule, read. */
export interface When {
  /** Operations that the rule speaks about. */
  operations: ReadonlySet<string>
  /** Conditions on the request itself, the operation aside. */
  conditions: readonly Condition[]
  calls?: Calls
  /** Virtual ms since the scenario became active; `to` is not part of it. */
  during?: Period
  probability?: number
}

/** A span of virtual ms; `toMs` is not part of it. */
export interface Period {
  fromMs: number
  toMs: number
}

/** One word of `when`: its schema, how it is read, and what else must hold in words for dry runs. */
export interface ConditionWord<Spelled> {
  schema: object
  /** What it adds to the conditions of a rule. Throws ScenarioError for values that mean nothing. */
  read(spelled: Spelled, steps: Steps): Partial<When>
  /** What must hold, in words; undefined when nothing is left open. */
  doubt?(when: When): string | undefined
}
