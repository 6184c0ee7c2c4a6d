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
  if (aspect === 'order' && path.includes('>')) return orderRule(step.family, path)
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

const ends: Readonly<Record<string, string>> = {
  succeeded: 'success',
  failed: 'failure',
  cancelled: 'cancel',
  expired: 'expire',
}

/** The row about a change of state. An impossible change contradicts the row of the earlier state. */
function orderRule(family: string, path: string): string {
  const [from = '', to = ''] = path.split('>')
  if (family === 'a') {
    if (from !== 'queued' && from !== 'running' && from !== 'unfinished') return 'a.states.terminal'
    return to === 'queued' || to === 'running' ? 'a.states.start' : `a.states.${ends[to]}`
  }
  if (family === 'k') return from === 'queued' && to === 'running' ? 'k.states.submitted' : 'k.states.finish'
  const home = family === 'special' ? 'c' : family
  return to === 'running' && from === 'queued' ? `${home}.states.start` : `${home}.states.finish`
}
