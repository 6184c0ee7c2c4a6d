import { at } from '../json-path.ts'
import type { Replayed } from '../replay/replay.ts'
import type { Check } from './check.ts'
import { statusRule } from './status-rules.ts'

/** Where each family has the code or type of an error, and the row about them. */
const codes: Readonly<Record<string, { paths: readonly string[]; rule: string }>> = {
  a: { paths: ['error.code', 'error.type'], rule: 'a.errors.shape' },
  b: { paths: ['code'], rule: 'B-errors' },
  c: { paths: ['error.type', 'error.http_code'], rule: 'C-errors' },
  special: { paths: ['error.type', 'error.http_code'], rule: 'C-errors' },
  k: { paths: ['error.code', 'error.type'], rule: 'K-errors' },
  image: { paths: ['error.code'], rule: 'I-codes' },
}

const shapes: Readonly<Record<string, RegExp>> = {
  a: /^(?:error(?:\.(?:code|message|param|type))?)?$/,
  b: /^(?:code|message|request_id)?$/,
  c: /^(?:type|error(?:\.(?:type|message|http_code))?|request_id)?$/,
  special: /^(?:type|error(?:\.(?:type|message|http_code))?|request_id)?$/,
  k: /^(?:error(?:\.(?:code|message|param|type))?)?$/,
  image: /^(?:error(?:\.(?:code|message))?)?$/,
}

/** The row about a part of an error. When the replies name different parameters, the row of the status decides. */
export function errorRule(check: Check, own: Replayed): string | undefined {
  const { step, aspect, path } = check
  const { family } = step
  const known = codes[family]
  const home = family === 'special' ? 'c' : family
  if (known && path === 'header.content-type') return `${home}.errors.shape`
  if (!known || !shapes[family]?.test(path === 'body' ? '' : path)) return undefined
  if (aspect === 'value' && known.paths.includes(path)) return valueRule(check, own, known.rule)
  if (aspect === 'value' && path === 'error.param') return statusRule(step, own)
  if (aspect === 'format' && path === 'request_id') return family === 'b' ? 'b.errors.shape' : 'C-ids'
  return `${home}.errors.shape`
}

/** A code that a row names for one case belongs to that row. */
function valueRule({ step, path }: Check, own: Replayed, otherwise: string): string {
  const code = String(at(own.reply, ...path.split('.')))
  if (step.family === 'a') {
    if (/Deletion$/.test(code)) return 'A-delete'
    if (code.includes('UnknownModel')) return 'A-unknown-model'
    if (code.includes('TaskTypeConstraint')) return 'A-task-type'
    if (own.status === 429) return 'A-rate'
    return own.status === 403 ? 'A-403' : otherwise
  }
  if (step.family === 'c' && own.status === 400 && path === 'error.type') return 'c.errors.bad-request'
  if (step.family !== 'image') return otherwise
  const stated: Readonly<Record<string, string>> = {
    InvalidParameter: 'image.errors.parameter',
    AuthenticationError: 'image.errors.key',
    RateLimitExceeded: 'image.errors.rate',
  }
  return stated[code] ?? otherwise
}
