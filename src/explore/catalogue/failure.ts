import type { Operation } from './operation.ts'

export const failureKinds = ['refusal', 'connection', 'outcome', 'media', 'timing'] as const
/** What a failure affects. */
export type FailureKind = (typeof failureKinds)[number]

/** One failure of one operation, as a scenario rule causes it. */
export interface Failure {
  /** The name of the failure, the same for every operation. */
  id: string
  /** The operation that fails. */
  operation: string
  /** The failure in one sentence. */
  title: string
  /** What it affects. */
  kind: FailureKind
  /** True when the same call, sent again later, may succeed. */
  transient: boolean
  /** The line of the specification that says so, the id of an assumption, or `network` for failures of every network. */
  source: string
  /** The effects of the rule, in the scenario language. */
  then: Record<string, unknown>
}

/** A failure for all operations that can have it. `source` gives the reason for an operation; undefined when the operation cannot have it. */
export type FailureRow = Omit<Failure, 'operation' | 'source' | 'then'> & {
  source(operation: Operation): string | undefined
  effect: Record<string, unknown> | ((operation: Operation) => Record<string, unknown>)
}
