import { assumptions } from '../assumptions/index.ts'
import { statements } from '../contract/statements/index.ts'
import type { Compared, Judged } from './comparison.ts'

/** One difference, as reports show it. */
export interface Difference {
  recording: string
  /** The request: its number in the recording, method and path. */
  request: string
  operation: string
  aspect: string
  path: string
  recorded: unknown
  emulated: unknown
}

/** What the recordings say about one row. */
export interface RowVerdict {
  id: string
  kind: 'specification' | 'assumption'
  says: string
  status: 'confirmed' | 'contradicted' | 'not seen'
  /** The number of comparisons that belong to it. */
  seen: number
  differences: Difference[]
}

/** The result of comparing. */
export interface Verdict {
  recordings: { name: string; requests: number; repeated: number; jobs: number; ignored: number }[]
  compared: number
  rows: RowVerdict[]
  /** Differences that belong to no row. */
  unclaimed: Difference[]
}

/** Whether a difference is known and left out of the report. It is named by a row's id, or by an operation and a path, also with `*`. */
export type Ignore = (row: string | undefined, difference: Difference) => boolean

/** Groups comparisons by row. One difference contradicts a row. A row is confirmed when all its comparisons are equal. */
export function verdictOf(compared: readonly Compared[], isIgnored: Ignore): Verdict {
  const judged = compared
    .flatMap(one => one.judged)
    .filter(one => one.isAlike || !isIgnored(one.row, differenceOf(one)))
  const byRow = new Map<string, Judged[]>()
  for (const one of judged) {
    if (one.row === undefined) continue
    const own = byRow.get(one.row)
    if (own) own.push(one)
    else byRow.set(one.row, [one])
  }
  const unclaimed = judged.filter(one => !one.isAlike && one.row === undefined)
  return {
    recordings: compared.map(({ recording, jobs, repeated }) => ({
      name: recording.name,
      requests: recording.steps.length,
      repeated,
      jobs,
      ignored: recording.ignored,
    })),
    compared: judged.length,
    rows: knownRows.map(row => ({ ...row, ...statusOf(byRow.get(row.id) ?? []) })),
    unclaimed: distinct(unclaimed.map(differenceOf)),
  }
}

function statusOf(judged: readonly Judged[]): Pick<RowVerdict, 'status' | 'seen' | 'differences'> {
  const differences = distinct(judged.filter(({ isAlike }) => !isAlike).map(differenceOf))
  const status = judged.length === 0 ? 'not seen' : differences.length > 0 ? 'contradicted' : 'confirmed'
  return { status, seen: judged.length, differences }
}

const knownRows = [
  ...statements.map(({ id, says }) => ({ id, kind: 'specification' as const, says })),
  ...assumptions.map(({ id, question, answer }) => ({
    id,
    kind: 'assumption' as const,
    says: `${question} ${answer}`,
  })),
]

function differenceOf({ recording, step, aspect, path, recorded, emulated }: Judged): Difference {
  return {
    recording,
    request: `#${step.number} ${step.method} ${step.path}`,
    operation: step.operation,
    aspect,
    path: path === '' ? 'body' : path,
    recorded: recorded === undefined ? 'absent' : recorded,
    emulated: emulated === undefined ? 'absent' : emulated,
  }
}

/** A difference that every poll shows is reported once. */
function distinct(differences: readonly Difference[]): Difference[] {
  const seen = new Set<string>()
  return differences.filter(({ operation, aspect, path, recorded, emulated }) => {
    const key = JSON.stringify([operation, aspect, path, recorded, emulated])
    return !seen.has(key) && seen.add(key)
  })
}

/** 0: equal. 1: contradicted, or nothing was compared. 4: differences that belong to no row. */
export function exitCode({ rows, unclaimed, compared }: Verdict, failOn: 'changed' | 'unknown'): 0 | 1 | 4 {
  if (compared === 0 || rows.some(({ status }) => status === 'contradicted')) return 1
  return failOn === 'unknown' && unclaimed.length > 0 ? 4 : 0
}
