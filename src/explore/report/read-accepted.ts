import { hint, readYaml, UsageError } from '../../emulator/options.ts'
import { type Bill, billWords, type End, endWords, type Verdict, verdicts } from '../judge/verdicts.ts'
import type { Accepted, AcceptedCase } from './accept.ts'

const forms = '{operation, id, verdict, reason} or {cases, reason}'
const axes: Readonly<Record<'verdict' | 'end' | 'bill', readonly string[]>> = {
  verdict: verdicts,
  end: endWords,
  bill: billWords,
}

/** Reads a file of known problems: YAML or JSON, a list of entries. Throws UsageError with file and entry. */
export function readAcceptFile(path: string): Accepted[] {
  const content = readYaml(path)
  if (content === null || content === undefined) return []
  if (!Array.isArray(content)) throw new UsageError(`${path} must hold an array of ${forms}`)
  return content.map((entry, index) => readEntry(entry, `${path}: entry ${index + 1}`))
}

/** Checks one known problem. Throws UsageError with its place. */
export function readEntry(entry: unknown, where: string): Accepted {
  const found = objectIn(entry, { where, form: forms })
  const about = {
    ...(found.cause !== undefined && { cause: textIn(found, 'cause', where) }),
    reason: textIn(found, 'reason', where),
  }
  if (found.cases === undefined) {
    checkKeys(found, ['operation', 'id', 'verdict', 'end', 'bill', 'cause', 'reason'], where)
    return { ...caseIn(found, where), ...about }
  }
  checkKeys(found, ['cases', 'cause', 'reason'], where)
  if (!Array.isArray(found.cases) || found.cases.length === 0)
    throw new UsageError(`${where}: cases must be an array of {operation, id, end, bill} that is not empty`)
  const cases = found.cases.map((one, index) => {
    const place = `${where}: case ${index + 1}`
    const read = objectIn(one, { where: place, form: '{operation, id, end, bill}' })
    checkKeys(read, ['operation', 'id', 'verdict', 'end', 'bill'], place)
    return caseIn(read, place)
  })
  return { cases, ...about }
}

function caseIn(found: Record<string, unknown>, where: string): AcceptedCase {
  if (found.verdict === undefined && (found.end === undefined || found.bill === undefined))
    throw new UsageError(
      `${where}: verdict must be a string that is not empty, or end and bill must be given`,
    )
  return {
    operation: textIn(found, 'operation', where),
    id: textIn(found, 'id', where),
    ...(found.verdict !== undefined && { verdict: wordIn<Verdict>(found, 'verdict', where) }),
    ...(found.end !== undefined && { end: wordIn<End>(found, 'end', where) }),
    ...(found.bill !== undefined && { bill: wordIn<Bill['verdict']>(found, 'bill', where) }),
  }
}

function objectIn(value: unknown, { where, form }: { where: string; form: string }): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${where} must be ${form}`)
  return value as Record<string, unknown>
}

function checkKeys(found: Record<string, unknown>, keys: readonly string[], where: string): void {
  const odd = Object.keys(found).find(key => !keys.includes(key))
  if (odd !== undefined) throw new UsageError(`${where}: unknown key ${odd}${hint(odd, keys)}`)
}

function textIn(found: Record<string, unknown>, key: string, where: string): string {
  const text = found[key]
  if (typeof text !== 'string' || text === '')
    throw new UsageError(`${where}: ${key} must be a string that is not empty`)
  return text
}

function wordIn<Word extends string>(
  found: Record<string, unknown>,
  key: keyof typeof axes,
  where: string,
): Word {
  const word = textIn(found, key, where)
  const allowed = axes[key]
  if (!allowed.includes(word))
    throw new UsageError(
      `${where}: ${key} "${word}" is not one of ${allowed.join(', ')}${hint(word, allowed)}`,
    )
  // It is one of the words of this axis.
  return word as Word
}
