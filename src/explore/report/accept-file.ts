import { writeFile } from 'node:fs/promises'
import { checkShape, ScenarioError } from '../../emulator/gateway.ts'
import { readYaml, UsageError } from '../../emulator/options.ts'
import { causeText, groupedByCause } from '../judge/causes.ts'
import { openRows, type RestartRow, type Row } from '../judge/row.ts'
import { billWords, endWords, verdicts } from '../judge/verdicts.ts'
import { type Accepted, type AcceptedCase, isAccepted, knownCases } from './accept.ts'
import { rowsOf } from './report.ts'

const text = { type: 'string', minLength: 1 } as const
const axes = {
  operation: text,
  id: text,
  verdict: { enum: verdicts },
  end: { enum: endWords },
  bill: { enum: billWords },
}
const about = { cause: text, reason: text }
const oneCase = {
  type: 'object',
  additionalProperties: false,
  required: ['operation', 'id'],
  properties: axes,
}
const single = { ...oneCase, required: ['operation', 'id', 'reason'], properties: { ...axes, ...about } }
const several = {
  ...oneCase,
  required: ['cases', 'reason'],
  properties: { cases: { type: 'array', minItems: 1, items: oneCase }, ...about },
}

/** Reads a file of known problems: YAML or JSON, a list of entries. Throws UsageError with file and entry. */
export function readAcceptFile(path: string): Accepted[] {
  const content = readYaml(path)
  if (content === null || content === undefined) return []
  if (!Array.isArray(content))
    throw new UsageError(`${path} must hold an array of {operation, id, verdict, reason} or {cases, reason}`)
  return content.map((entry, index) => readEntry(entry, `${path}: entry ${index + 1}`))
}

/** Checks one known problem. Throws UsageError with its place. */
export function readEntry(entry: unknown, where: string): Accepted {
  try {
    const known = checkShape<Accepted>('cases' in Object(entry) ? several : single, entry)
    const cases = 'cases' in known ? known.cases : [known]
    const vague = cases.findIndex(({ verdict, end, bill }) => !verdict && !(end && bill))
    if (vague >= 0)
      throw new ScenarioError('must have a verdict, or end and bill', {
        steps: 'cases' in known ? ['cases', vague] : [],
      })
    return known
  } catch (error) {
    throw error instanceof ScenarioError ? new UsageError(`${where}: ${error.fullMessage}`) : error
  }
}

/**
 * The known problems after an exploration: those that still occur, with their reasons, and one entry for each cause of a problem that was
 * not known, with the reason `unreviewed`. `stale` are the known cases that did not occur.
 */
export function updatedAccepts(
  known: readonly Accepted[],
  report: { cases: readonly Row[]; restarts?: readonly RestartRow[]; stale: readonly AcceptedCase[] },
): Accepted[] {
  const stale = new Set(report.stale.map(keyOf))
  const isStale = (one: AcceptedCase) => stale.has(keyOf(one))
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

function keyOf({ operation, id, verdict, end, bill }: AcceptedCase): string {
  return JSON.stringify([operation, id, verdict, end, bill])
}

/** Keyed by operation, failure and both axes, so that a known crash that costs money one day is a problem again. */
function entryFor(cause: string, rows: readonly Row[]): Accepted {
  const cases = new Map<string, AcceptedCase>()
  for (const { operation, id, verdict, end, bill } of rows) {
    const key = { operation, id, verdict, end, bill: bill.verdict }
    cases.set(keyOf(key), key)
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
