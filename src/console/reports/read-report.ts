import { jsonIn } from '../../emulator/words.ts'
import type { Comparison } from '../../evidence/recordings.ts'
import type { WrittenReport } from '../../explore/page.ts'

/** The report in a file, or the reason why the file has none. */
export type ReadReport =
  | { kind: 'explore'; name: string; report: WrittenReport }
  | { kind: 'compare'; name: string; report: Comparison }
  | { kind: 'refused'; name: string; reason: string }

/** Reads the text of a file as a report of `explore` or `compare`. */
export function readReport(name: string, text: string): ReadReport {
  const value = jsonIn(text)
  if (value === undefined)
    return {
      kind: 'refused',
      name,
      reason: text.trimStart().startsWith('<')
        ? 'It is a page or XML. Open an HTML report in the browser itself; here, open the JSON beside it.'
        : 'It is not JSON.',
    }
  if (isExplored(value)) return { kind: 'explore', name, report: value }
  if (isComparison(value)) return { kind: 'compare', name, report: value }
  return {
    kind: 'refused',
    name,
    reason: 'It is JSON, but neither a report of explore nor one of compare.',
  }
}

function isExplored(value: unknown): value is WrittenReport {
  return (
    hasLists(value, ['cases', 'restarts', 'calls', 'problems', 'warnings', 'causes', 'not_tried']) &&
    isObject(value.time) &&
    (value.cases as unknown[]).every(
      one => isObject(one) && hasTexts(one, ['operation', 'id', 'verdict', 'end', 'level']),
    )
  )
}

function isComparison(value: unknown): value is Comparison {
  return (
    hasLists(value, ['recordings', 'rows', 'unclaimed']) &&
    (value.rows as unknown[]).every(one => isObject(one) && hasTexts(one, ['id', 'status', 'says']))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasLists(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && names.every(name => Array.isArray(value[name]))
}

function hasTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every(name => typeof value[name] === 'string')
}
