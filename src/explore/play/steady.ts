import { groupedByCause } from '../judge/causes.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import { verdicts } from '../judge/verdicts.ts'
import { type Case, nameOfCase } from '../plan/case.ts'
import { knownReason } from '../report/accept.ts'
import { eachInTurn } from '../run/world-run.ts'
import type { Baseline } from './baseline.ts'
import { playCase } from './play-case.ts'
import type { ComparedCase, Played } from './play-restart.ts'
import type { Exploration } from './settings.ts'

interface AllPlayed {
  /** The rows of the cases, by their index; those that differ the second time are replaced. */
  rows: (Row | undefined)[]
  cases: readonly Case[]
  baseline: Baseline
  jobs: number
  whyLeft(): string | undefined
}

/**
 * Plays each problem that is not known once more, when all cases were played, and replaces the row of one that was none the second time. A
 * program that leaves its results in the working folder goes alone then: another run may have written the same file the first time.
 * Returns the names of those for which no time was left.
 */
export async function playedAgain(
  exploration: Exploration,
  { rows, cases, baseline, jobs, whyLeft }: AllPlayed,
): Promise<string[]> {
  // One that is reused was played twice then.
  const isDone = (row: Row | undefined) => row?.reused || !isOpen(exploration, row)
  const open = cases.flatMap((one, index) => (isDone(rows[index]) ? [] : [{ one, index }]))
  const once: string[] = []
  const told = tellingCalls(exploration)
  const of = cases.length + open.length
  let done = cases.length
  await eachInTurn(open, jobs, async ({ one, index }) => {
    const row = rows[index]
    if (!row) return
    if (whyLeft() !== undefined) {
      once.push(nameOfCase(one))
      return
    }
    const again = await playCase(told, { one, baseline, whyLeft, isAgain: true })
    const isCut = whyLeft() !== undefined && !again.row
    if (isCut) once.push(nameOfCase(one))
    const last = isCut ? row : ofBoth(row, again)
    rows[index] = last
    exploration.settings.progress({ row: last, index: ++done, of })
  })
  return once
}

/** The same, with runs that tell where each call was made. Only problems are worth the stacks. */
function tellingCalls({ subject, ...others }: Exploration): Exploration {
  return {
    ...others,
    subject: { run: (world, options) => subject.run(world, { ...options, tellsCalls: true }) },
  }
}

/** Plays a case, and a problem that is not known once more at once. */
export async function playTwice(exploration: Exploration, given: ComparedCase): Promise<Played> {
  const first = await playCase(exploration, given)
  if (!first.row || !isOpen(exploration, first.row) || given.whyLeft?.() !== undefined) return first
  const again = await playCase(exploration, given)
  if (!again.row && (given.whyLeft?.() !== undefined || exploration.settings.signal.aborted)) return first
  return { row: ofBoth(first.row, again) }
}

function isOpen({ settings }: Exploration, row: Row | undefined): boolean {
  return row?.level === 'problem' && knownReason(row, settings.accept) === undefined
}

/** A row that was a problem both times stays as it was; one that was none the second time is `unsteady`, and shows both. */
function ofBoth(first: Row, { row: second, missed }: Played): Row {
  if (second?.level === 'problem') {
    const call = second.cause?.call
    return first.cause && call !== undefined ? { ...first, cause: { ...first.cause, call } } : first
  }
  const then = second ?? { verdict: 'not tried', evidence: missed?.reason ?? '', log: '' }
  const both = (one: readonly string[] | undefined, other: readonly string[] | undefined) => [
    `The first time (${first.verdict}):`,
    ...(one ?? []),
    `The second time (${then.verdict}):`,
    ...(other ?? []),
  ]
  return {
    ...first,
    verdict: 'unsteady',
    level: 'warning',
    evidence: `the first time ${first.verdict}: ${first.evidence}; the second time ${then.verdict}: ${then.evidence}`,
    cause: {
      title: `${first.verdict.replaceAll('_', ' ')} at one of two plays: ${first.cause?.title ?? ''}`,
      where: first.cause?.where ?? null,
    },
    stories: both(first.stories, second?.stories),
    requests: both(first.requests, second?.requests),
    log: both([first.log], [then.log]).join('\n'),
  }
}

/** The rows without the pairs which one of their failures alone explains: it is no better alone, and has the same cause. */
export function withoutExplained(rows: readonly Row[]): { found: Row[]; explained: Row[] } {
  const groups = groupedByCause(rows)
  const rank = ({ level, verdict }: Row) => verdicts.indexOf(verdict) + (level === 'problem' ? 0 : 100)
  const isExplained = (row: Row) => {
    if (row.and === undefined || row.level === 'good') return false
    const parts = [nameOfRow(row).split(' + ')[0], row.and]
    const alike = groups.find(group => group.rows.includes(row))?.rows ?? []
    return alike.some(
      one => one.and === undefined && parts.includes(nameOfRow(one)) && rank(one) <= rank(row),
    )
  }
  const explained = rows.filter(isExplained)
  return { found: rows.filter(row => !explained.includes(row)), explained }
}
