import { writeFile } from 'node:fs/promises'
import { UsageError } from '../../emulator/options.ts'
import { causeText, groupedByCause } from '../judge/causes.ts'
import { openRows, type RestartRow, type Row } from '../judge/row.ts'
import { type Accepted, type AcceptedCase, isAccepted, knownCases } from './accept.ts'
import { rowsOf } from './report.ts'

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
