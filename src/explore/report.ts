import type { Finding } from '../client/types.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { type Accepted, isAccepted, type KnownProblem } from './accept.ts'
import { nameOfCall } from './case.ts'
import { matrixOf } from './matrix.ts'
import type { NotTried } from './plan.ts'
import { isProblem, type Verdict } from './verdict.ts'

/** The result of one case. */
export interface Row {
  /** The operation that failed. */
  operation: string
  /** The number of the call that failed, from 1. */
  nth: number
  /** The failure, such as `reply_lost`. */
  id: string
  /** The second failure of a pair: `a.get#1 unavailable`. */
  and?: string
  /** How the program reacted. */
  verdict: Verdict
  /** One sentence with the facts. */
  evidence: string
  /** Findings that the undisturbed run does not have. */
  findings: Finding[]
  /** A scenario that plays the case again. */
  scenario: ScenarioDocument
  /** The end of what the program wrote. */
  log: string
  /** Wall milliseconds. */
  ms: number
  /** Why the problem is known, where it was accepted. */
  accepted?: string
  /** The requests of the run, one line each. */
  requests?: string[]
  /** The stories of its tasks. */
  stories?: string[]
}

/** The data of a report. */
export interface ReportData {
  /** The explored command, as it is written on a command line; absent for a function. */
  command?: string
  /** Options of the command line that a replay also needs. */
  replay?: string
  /** The seed of every world. */
  seed: number
  /** Virtual time at which every world opened, ISO 8601. */
  now: string
  /** Calls of the undisturbed run, in order. */
  calls: { operation: string; nth: number; status: number }[]
  /** What differs between the two undisturbed runs. */
  differs?: string
  /** The result of each case. */
  cases: Row[]
  /** What was not tried, and why. */
  not_tried: NotTried[]
  /** Accepted problems that no longer occur. */
  stale: KnownProblem[]
  /** How many cases had each verdict. */
  totals: Record<string, number>
  /** Wall milliseconds of the whole exploration. */
  ms: number
  /** True when it was ended before all cases were played. */
  interrupted: boolean
}

/** A report as code uses it. */
export interface Report extends ReportData {
  /** The cases whose verdict is a problem that was not accepted; `rude` is a warning. */
  problems: Row[]
  /** The matrix as text without colours: a row for each call, a column for each failure. */
  matrix(): string
  /** The same report with these problems accepted. */
  accept(known: readonly Accepted[]): Report
}

/** A report made from its data. */
export function reportOf(data: ReportData): Report {
  return {
    ...data,
    problems: problemsOf(data.cases),
    matrix: () => matrixOf(data),
    accept: known => reportOf(withAccepted(data, known)),
  }
}

/** Problems that were not accepted. */
function problemsOf(cases: readonly Row[]): Row[] {
  return cases.filter(({ verdict, accepted }) => isProblem(verdict) && accepted === undefined)
}

/** Rude cases that were not accepted. */
export function warningsOf({ cases }: Pick<Report, 'cases'>): Row[] {
  return cases.filter(({ verdict, accepted }) => verdict === 'rude' && accepted === undefined)
}

/** `2 problems, 1 warning in 57 cases`. */
export function summaryOf(report: Report): string {
  const { problems, cases, interrupted } = report
  const warnings = warningsOf(report).length
  const found =
    counted(problems.length, 'problem') + (warnings > 0 ? `, ${counted(warnings, 'warning')}` : '')
  return `${interrupted ? 'Interrupted: ' : ''}${found} in ${counted(cases.length, 'case')}`
}

/** `1 case`, `2 cases`. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** An accepted problem that no longer occurs, as a line. */
export function staleText({ operation, id, verdict }: KnownProblem): string {
  return `${operation} ${id} ${verdict}`
}

/** Marks the rows whose problems are known, and lists known problems that no longer occur. */
export function withAccepted<T extends Pick<ReportData, 'cases'>>(
  data: T,
  known: readonly Accepted[],
): T & Pick<ReportData, 'cases' | 'stale'> {
  const cases = data.cases.map(row => {
    const found = known.find(one => isAccepted(row, one))
    return found ? { ...row, accepted: found.reason ?? 'accepted' } : row
  })
  const stale = known.filter(one => !data.cases.some(row => isAccepted(row, one)))
  return { ...data, cases, stale: stale.map(one => ({ ...one, reason: one.reason ?? 'accepted' })) }
}

/** How many cases had each verdict. */
export function totalsOf(cases: readonly Row[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const { verdict } of cases) totals[verdict] = (totals[verdict] ?? 0) + 1
  return totals
}

/** `a.create#1 task_expired`, and the second failure of a pair. */
export function nameOfRow({ id, and, ...call }: Row): string {
  return `${nameOfCall(call)} ${id}${and ? ` + ${and}` : ''}`
}
