import type { Failure, FailureKind } from '../../../client/failure.ts'
import type { Operation } from './operation.ts'

export type { Failure, FailureKind } from '../../../client/failure.ts'

export const failureKinds = [
  'refusal',
  'connection',
  'outcome',
  'media',
  'timing',
  'restart',
] as const satisfies readonly FailureKind[]

/** A failure for all operations that can have it. `source` gives the reason for an operation; undefined when the operation cannot have it. */
export type FailureRow = Omit<Failure, 'operation' | 'source' | 'then'> & {
  source(operation: Operation): string | undefined
  effect: Record<string, unknown> | ((operation: Operation) => Record<string, unknown>)
}
