import { operations } from '../../scenarios/operations.ts'
import { connections } from './catalogue/connections.ts'
import type { Failure, FailureRow } from './catalogue/failure.ts'
import { files } from './catalogue/files.ts'
import { type Operation, operationNamed } from './catalogue/operation.ts'
import { outcomes } from './catalogue/outcomes.ts'
import { refusals } from './catalogue/refusals.ts'
import { restarts } from './catalogue/restarts.ts'

const rows: readonly FailureRow[] = [...refusals, ...connections, ...outcomes, ...files, ...restarts]

/** Every id of the catalogue, in its order. */
export const failureIds: readonly string[] = rows.map(({ id }) => id)

/** Which failures to list. */
export interface FailureFilter {
  operation?: string
  family?: string
}

/** The failures of an operation, of a family, or of both; all failures when neither is given. */
export function failuresOf({ operation, family }: FailureFilter = {}): Failure[] {
  return operations
    .filter(id => operation === undefined || id === operation)
    .map(operationNamed)
    .filter(found => family === undefined || found.isDownload || found.family === family)
    .flatMap(found => rows.flatMap(row => failureIn(row, found, family)))
}

/**
 * Whether a failure can happen to the files of a family; true when the family is not known. Only the files of family A have
 * a limit of downloads (Spec, "Family A: task record", link rules).
 */
export function meetsFilesOf(family: string | undefined, id: string): boolean {
  return id !== 'link_exhausted' || family === undefined || family === 'a'
}

function failureIn(row: FailureRow, operation: Operation, family: string | undefined): Failure[] {
  const source = row.source(operation)
  if (source === undefined) return []
  if (!meetsFilesOf(family, row.id)) return []
  const { id, title, kind, transient, effect } = row
  const then = typeof effect === 'function' ? effect(operation) : effect
  return [{ id, operation: operation.id, title, kind, transient, source, then }]
}
