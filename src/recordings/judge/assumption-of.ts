import { downloadOperation } from '../../scenarios/operations.ts'
import { at } from '../../spec/json.ts'
import type { Replayed } from '../replay/replay.ts'
import { assumptionRows, codeRows, fileRows, otherRows } from './assumption-rows.ts'
import type { Check } from './check.ts'
import { isOfSpecification } from './judge-rows.ts'
import { isNamedPlace } from './named-places.ts'
import { statusRule } from './status-rules.ts'

/** The assumption that a comparison belongs to; undefined when it belongs to none. It may be a row of the specification for a status. */
export function assumptionOf(check: Check, own: Replayed | undefined): string | undefined {
  const { step, aspect, path } = check
  if (aspect === 'status') return own && statusRule(step, own)
  const isRefused = step.status >= 400 && own !== undefined && own.status >= 400
  const isHeader = path.startsWith('header.') && path !== 'header.content-type'
  if (isRefused && step.operation !== downloadOperation && !isHeader)
    return codeRow(check, own) ?? otherRow(check)
  const isFile = step.operation === downloadOperation || path.startsWith('file.')
  const rows = isFile ? [...(fileRows[homeOf(step.family)] ?? []), ...assumptionRows] : assumptionRows
  const place = placeIn(path, step.operation)
  const row = rows.find(
    ([on, pattern, , aspects]) =>
      on.test(step.operation) && pattern.test(place) && (aspects?.includes(aspect) ?? true),
  )
  return row?.[2] ?? otherRow(check)
}

const homeOf = (family: string) => (family === 'special' ? 'c' : family)

/** The assumption about a difference at a place that the specification names, without a value for it. */
function otherRow({ step, path, isAlike }: Check): string | undefined {
  const rows = otherRows[homeOf(step.family)]
  if (isAlike || !rows) return undefined
  const isFile = /^(?:file|last_frame)\./.test(path)
  if (step.operation === downloadOperation && !isFile) return 'A-downloads'
  if (!isFile && !isNamedPlace(step, path)) return undefined
  return (step.status >= 400 ? rows.slice(0, 1) : rows.slice(1)).find(([pattern]) => pattern.test(path))?.[1]
}

/** A code or parameter of an error that a row names for one case belongs to that row. */
function codeRow({ step, aspect, path }: Check, own: Replayed): string | undefined {
  const home = homeOf(step.family)
  if (aspect === 'format' && path === 'request_id') return home === 'c' ? 'C-ids' : undefined
  if (aspect !== 'value') return undefined
  if (path === 'error.param') {
    const row = statusRule(step, own)
    return row !== undefined && isOfSpecification(row) ? undefined : row
  }
  const code = String(at(own.reply, ...path.split('.')))
  if (step.family === 'a' && /^error\.(?:code|type)$/.test(path)) {
    if (/Deletion$/.test(code)) return 'A-delete'
    if (code.includes('UnknownModel')) return 'A-unknown-model'
    if (code.includes('TaskTypeConstraint')) return 'A-task-type'
    return own.status === 429 ? 'A-rate' : own.status === 403 ? 'A-403' : undefined
  }
  // The specification states these.
  if (/^(?:InvalidParameter|AuthenticationError|RateLimitExceeded)$/.test(code) && home === 'image')
    return undefined
  if (home === 'c' && own.status === 400 && path === 'error.type') return undefined
  const known = codeRows[home]
  return known?.[0].test(path) ? known[1] : undefined
}

/** The parts of a record have the same names in every reply. */
function placeIn(path: string, operation: string): string {
  const plain = path.replaceAll('[]', '')
  if (operation.endsWith('.list') && operation !== 'k.presets.list')
    return plain.replace(/^items\.|^data\./, '')
  return plain.replace(/^task\./, '')
}
