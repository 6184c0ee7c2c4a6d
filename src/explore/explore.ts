import { UsageError } from '../options/usage-error.ts'
import { type Baseline, baselineOf } from './baseline.ts'
import { type Case, nameOfCase } from './case.ts'
import { casePattern, unmet } from './pattern.ts'
import { type NotTried, pairsOf, planOf, type Repeated } from './plan.ts'
import { playCase } from './play-case.ts'
import { type Report, type ReportData, type Row, reportOf, totalsOf, withAccepted } from './report.ts'
import type { Exploration } from './settings.ts'

/** The cases of a program, the run to compare them with, and the calls that are not tried. */
export interface Ready {
  baseline: Baseline
  cases: Case[]
  repeated: Repeated[]
}

/** Runs the subject undisturbed and returns the cases to try. Throws UsageError for a pattern that matches no case. */
export async function prepare(exploration: Exploration): Promise<Ready> {
  const { emulator, settings } = exploration
  const baseline = await baselineOf(exploration)
  const { items } = await emulator.failures()
  const plan = planOf(baseline.calls, items)
  const only = settings.only.map(casePattern)
  const skip = settings.skip.map(casePattern)
  for (const pattern of [...only, ...skip]) {
    const wrong = unmet(pattern, plan.cases)
    if (wrong !== undefined) throw new UsageError(wrong)
  }
  const chosen = plan.cases.filter(
    one =>
      (only.length === 0 || only.some(pattern => pattern.isMet(one))) &&
      !skip.some(pattern => pattern.isMet(one)),
  )
  const cases = settings.pairs ? [...chosen, ...pairsOf(chosen)] : chosen
  return { baseline, cases, repeated: plan.repeated }
}

/**
 * Runs the subject undisturbed, then once for each possible failure of each of its calls, and gives each run a
 * verdict. Throws BaselineError when the undisturbed run fails or calls nothing, and UsageError for wrong patterns.
 */
export async function explore(exploration: Exploration): Promise<Report> {
  const { settings } = exploration
  const startedMs = performance.now()
  const { baseline, cases, repeated } = await prepare(exploration)
  const rows: (Row | undefined)[] = []
  const left: NotTried[] = []
  const order = startOrder(cases)
  let next = 0
  let done = 0
  const work = async () => {
    for (let turn = next++; turn < order.length; turn = next++) {
      const index = order[turn] ?? 0
      const one = cases[index]
      if (!one) continue
      if (settings.signal.aborted || performance.now() - startedMs > settings.budgetMs) {
        left.push({ what: nameOfCase(one), reason: settings.signal.aborted ? 'interrupted' : 'budget' })
        continue
      }
      const { row, missed } = await playCase(exploration, { one, baseline })
      rows[index] = row
      if (missed) left.push(missed)
      settings.progress({ ...(row && { row }), index: ++done, of: cases.length })
    }
  }
  await Promise.all(Array.from({ length: settings.jobs }, work))
  const found = rows.filter(row => row !== undefined)
  const data: ReportData = {
    ...(settings.command !== undefined && { command: settings.command }),
    ...(settings.replay && { replay: settings.replay }),
    seed: settings.seed,
    now: settings.now,
    calls: baseline.calls.map(({ operation, nth, request }) => ({ operation, nth, status: request.status })),
    ...(baseline.differs !== undefined && { differs: baseline.differs }),
    cases: found,
    not_tried: [...repeated.map(({ what, reason }) => ({ what, reason })), ...left],
    stale: [],
    totals: totalsOf(found),
    ms: Math.round(performance.now() - startedMs),
    interrupted: settings.signal.aborted,
  }
  return reportOf(withAccepted(data, settings.accept))
}

/** Failures at which a program waits until its own time-out or until the limit. */
const lengthy = ['no_answer', 'file_stalled', 'task_stuck', 'slow_answer']

/** The indexes of the cases in the order in which they start: those that may take long come first, so that no job waits for them at the end. */
function startOrder(cases: readonly Case[]): number[] {
  const isLengthy = cases.map(({ failure, and }) => and === undefined && lengthy.includes(failure.id))
  return [...cases.keys()].sort((one, other) => Number(isLengthy[other]) - Number(isLengthy[one]))
}
