import type { Operation } from './operation.ts'

export const failureKinds = ['refusal', 'connection', 'outcome', 'media', 'timing'] as const
/** What a failure touches. */
export type FailureKind = (typeof failureKinds)[number]

/** One thing that can go wrong with one operation, as a scenario rule plays it. */
export interface Failure {
  /** The same word for every operation. */
  id: string
  /** The operation that it happens to. */
  operation: string
  /** A sentence. */
  title: string
  /** What it touches. */
  kind: FailureKind
  /** True when the same call, sent again later, may succeed. */
  transient: boolean
  /** The line of the specification that says so, an assumption's id, or `network` for what every network does. */
  source: string
  /** What a scenario rule does, in the words of the scenario language. */
  then: Record<string, unknown>
}

/** A failure of every operation that can meet it. `source` says why an operation can; it is undefined when it cannot. */
export type FailureRow = Omit<Failure, 'operation' | 'source' | 'then'> & {
  source(operation: Operation): string | undefined
  effect: Record<string, unknown> | ((operation: Operation) => Record<string, unknown>)
}
