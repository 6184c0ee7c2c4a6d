import type { Failure, FailureKind } from '../../../kits/views.ts'
import type { Operation } from './operation.ts'

export type { Failure, FailureKind } from '../../../kits/views.ts'

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

/** A failure as a row of a table; one that `passes` is transient. */
type Line = readonly [
  id: string,
  kind: FailureKind,
  when: 'passes' | 'stays',
  title: string,
  source: FailureRow['source'],
  effect: FailureRow['effect'],
]

/** The failures of a table. */
export function failuresIn(table: readonly Line[]): FailureRow[] {
  return table.map(([id, kind, when, title, source, effect]) => {
    return { id, title, kind, transient: when === 'passes', source, effect }
  })
}
