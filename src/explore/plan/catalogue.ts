import { factsOfFamily, operations } from '../../emulator/words.ts'
import type { Failure, FailureRow } from './catalogue/failure.ts'
import { type Operation, operationNamed } from './catalogue/operation.ts'
import { failureRows } from './catalogue/rows.ts'

/** Every id of the catalogue, in its order. */
export const failureIds: readonly string[] = failureRows.map(({ id }) => id)

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
    .flatMap(found => failureRows.flatMap(row => failureIn(row, found, family)))
}

/** Whether a failure can happen to the files of a family; true when the family is not known. */
export function meetsFilesOf(family: string | undefined, id: string): boolean {
  return id !== 'link_exhausted' || family === undefined || factsOfFamily(family)?.limitsDownloads === true
}

function failureIn(row: FailureRow, operation: Operation, family: string | undefined): Failure[] {
  const source = row.source(operation)
  if (source === undefined) return []
  if (!meetsFilesOf(family, row.id)) return []
  const { id, title, kind, transient, effect } = row
  const then = typeof effect === 'function' ? effect(operation) : effect
  return [{ id, operation: operation.id, title, kind, transient, source, then }]
}
