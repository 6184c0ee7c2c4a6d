import { downloadOperation } from '../../scenarios/operations.ts'
import type { Replayed } from '../replay/replay.ts'
import type { Check } from './check.ts'
import { errorRule } from './error-rules.ts'
import { ruleRows } from './rule-rows.ts'
import { fileRows } from './rule-rows-files.ts'
import { statusRule } from './status-rules.ts'

/** The row of the specification or of the assumptions that a comparison belongs to; undefined when it belongs to none. */
export function ruleOf(check: Check, own: Replayed | undefined): string | undefined {
  if (check.rule !== undefined) return check.rule
  const { step, aspect, path } = check
  if (aspect === 'status') return own && statusRule(step, own)
  const isHeader = path.startsWith('header.') && path !== 'header.content-type'
  if (step.status >= 400 && own && own.status >= 400 && step.operation !== downloadOperation && !isHeader)
    return errorRule(check, own)
  const rows =
    step.operation === downloadOperation || path.startsWith('file.') ? rowsOfFile(step.family) : ruleRows
  const place = placeOf(path, step.operation)
  return [...rows, ...ruleRows].find(
    ({ on, path: pattern, aspects }) =>
      on.test(step.operation) && pattern.test(place) && (aspects?.includes(aspect) ?? true),
  )?.rule
}

function rowsOfFile(family: string) {
  return fileRows[family === 'special' ? 'c' : family] ?? []
}

/** The parts of a record have the same names in every reply. */
function placeOf(path: string, operation: string): string {
  const plain = path.replaceAll('[]', '')
  if (operation.endsWith('.list') && operation !== 'k.presets.list')
    return plain.replace(/^items\.|^data\./, '')
  return plain.replace(/^task\./, '')
}
