import { writeFile } from 'node:fs/promises'
import { hint, readYaml, UsageError } from '../../emulator/options.ts'
import { causeText, groupedByCause } from '../judge/causes.ts'
import { openRows, type RestartRow, type Row } from '../judge/row.ts'
import { type Bill, billWords, type End, endWords, type Verdict, verdicts } from '../judge/verdicts.ts'
import { type Accepted, type AcceptedCase, isAccepted, knownCases } from './accept.ts'
import { rowsOf } from './report.ts'

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

/**
 * The known problems after an exploration: those that still occur, with their reasons, and one entry for each cause of a problem that was
 * not known, with the reason `unreviewed`. `stale` are the known cases that did not occur.
 */
export function updatedAccepts(
  known: readonly Accepted[],
  report: { cases: readonly Row[]; restarts?: readonly RestartRow[]; stale: readonly AcceptedCase[] },
): Accepted[] {
  const { stale } = report
  const isStale = (one: AcceptedCase) =>
    stale.some(
      ({ operation, id, verdict, end, bill }) =>
        operation === one.operation &&
        id === one.id &&
        verdict === one.verdict &&
        end === one.end &&
        bill === one.bill,
    )
  const kept = known.flatMap((entry): Accepted[] => {
    if (!('cases' in entry)) return isStale(entry) ? [] : [entry]
    const left = entry.cases.filter(one => !isStale(one))
    return left.length === 0 ? [] : [{ ...entry, cases: left }]
  })
  const unknown = openRows(rowsOf(report), 'problem').filter(
    row => !knownCases(known).some(one => isAccepted(row, one)),
  )
  return [...kept, ...groupedByCause(unknown).map(({ cause, rows }) => entryFor(causeText(cause), rows))]
}

/** Keyed by operation, failure and both axes, so that a known crash that costs money one day is a problem again. */
function entryFor(cause: string, rows: readonly Row[]): Accepted {
  const cases = new Map<string, AcceptedCase>()
  for (const { operation, id, verdict, end, bill } of rows) {
    const key = { operation, id, verdict, end, bill: bill.verdict }
    cases.set(JSON.stringify(key), key)
  }
  const [first, ...others] = [...cases.values()]
  const about = { cause, reason: 'unreviewed' }
  return first && others.length === 0 ? { ...first, ...about } : { cases: [...cases.values()], ...about }
}

/** Writes the file of `--accept`. Throws UsageError when it cannot be written. */
export async function writeAcceptFile(path: string, entries: readonly Accepted[]): Promise<void> {
  const { stringify } = await import('yaml')
  const lines = entries.map(entry => stringify([{ cause: undefined, ...entry }], { lineWidth: 0 }))
  try {
    await writeFile(path, entries.length === 0 ? '[]\n' : lines.join(''))
  } catch (error) {
    throw new UsageError(`--accept ${path}: ${error instanceof Error ? error.message : error}`)
  }
}
