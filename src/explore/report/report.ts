import { installedCommand } from '../../emulator/words.ts'
import type { ProxyObservation } from '../as/proxy-observation.ts'
import { type CauseEntry, causesOf } from '../judge/causes.ts'
import { counted, rounded } from '../judge/counted.ts'
import { nameOfRow, openRows, type RestartRow, type Row, wallPaceText } from '../judge/row.ts'
import { type Verdict, verdicts } from '../judge/verdicts.ts'
import type { Patience } from '../patience/patience.ts'
import type { NotTried } from '../plan/plan.ts'
import type { TimeUsed } from '../play/baseline.ts'
import type { FailOn } from '../play/settings.ts'
import { type Accepted, isAccepted, isNamed, type KnownProblem, knownCases, knownReason } from './accept.ts'
import type { AgainRow } from './again.ts'
import type { Coverage } from './coverage.ts'
import type { ProgramFiles, Reuse } from './earlier.ts'
import { matrixOf } from './matrix.ts'

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
  /** The time that the program lived in: `virtual` when its own sleeps moved the clock of its world. */
  time: TimeUsed
  /** What the program did behind `--as HOST`; absent without it. */
  as?: ProxyObservation
  /** Calls of the undisturbed run, in order. */
  calls: { operation: string; nth: number; service?: string; status: number }[]
  /** The services of a system; absent for a single program. */
  services?: string[]
  /** What an exploration that was killed had left, and was cleaned, as sentences. Absent: nothing. */
  cleaned?: readonly string[]
  /** What is wrong with a system undisturbed, such as a job that two services do. Absent: nothing is known. */
  undisturbed_findings?: string[]
  /** What the gateway refused undisturbed, by itself and by no scenario. Absent: nothing. */
  undisturbed_refusals?: UndisturbedRefusal[]
  /** Parts beside that keep the time of the wall, although that of the program is virtual. Absent: none. */
  on_the_wall?: string[]
  /** What differs between the two undisturbed runs. */
  differs?: string
  /** The runs of which a process may still run: it holds the program's output open, and could not be found. Absent: none. */
  may_have_left?: string[]
  /** The problems that were played once only, because the budget had passed. Absent: each was played twice. */
  played_once?: string[]
  /** The pairs that are not in `cases`, because one of their failures alone has the same cause. Absent: none. */
  explained?: string[]
  /** How many cases were planned: those that were played, and those that were to be and are listed in `not_tried`. Absent in older reports. */
  planned?: number
  /** The result of each case. */
  cases: Row[]
  /** The result of each point at which the program was killed and started again. */
  restarts: RestartRow[]
  /** How long the program survives and waits; absent when it was not measured. */
  patience?: Patience
  /** What was not tried, and why. */
  not_tried: NotTried[]
  /** The cases that `only`, `skip` or `again` left out. Absent: none. */
  not_asked?: string[]
  /** What became of the problems and warnings of an earlier report; absent without `--again`. */
  again?: AgainRow[]
  /** How many cases were taken over from an earlier report; absent without `--reuse`. */
  reuse?: Reuse
  /** What the undisturbed run loaded, for a later `--reuse`; absent when nothing was told of that. */
  program?: ProgramFiles
  /** What of the user's own files ran; absent without `--coverage`. */
  coverage?: Coverage
  /** Accepted problems that no longer occur. */
  stale: KnownProblem[]
  /** What the failures cost, and how many cases had each verdict. */
  totals: Totals
  /** The lowest level that fails it. */
  fail_on: FailOn
  /** Wall milliseconds of the whole exploration. */
  ms: number
  /** True when it was ended before all cases were played. */
  interrupted: boolean
}

/** Equal calls of the undisturbed run that were refused. */
export interface UndisturbedRefusal {
  /** Such as `media.download`. */
  operation: string
  /** The HTTP status of the reply. */
  status: number
  /** What the reply said, in a line. Absent: nothing. */
  said?: string
  /** Of a system: who called. */
  service?: string
  /** How many calls were answered so. */
  times: number
}

/** A report as code uses it. */
export interface Report extends ReportData {
  /** The causes of problems and warnings that were not accepted, in cases and restarts. */
  causes: CauseEntry[]
  /** The cases and restarts whose verdict is a problem that was not accepted. */
  problems: Row[]
  /** The cases and restarts whose verdict is a warning that was not accepted. */
  warnings: Row[]
  /** The matrix as text without colours: a row for each call, a column for each failure. */
  matrix(): string
  /** The same report with these problems accepted. */
  accept(known: readonly Accepted[]): Report
}

/** A report as its file has it. */
export type WrittenReport = Omit<Report, 'matrix' | 'accept'>

export function reportOf(data: ReportData): Report {
  const { totals, cases, restarts, ...rest } = data
  const rows = rowsOf(data)
  return {
    totals,
    causes: causesOf(rows),
    problems: openRows(rows, 'problem'),
    warnings: openRows(rows, 'warning'),
    cases,
    restarts,
    ...rest,
    matrix: () => matrixOf(rows),
    accept: known => reportOf(withAccepted(data, known)),
  }
}

/** All rows: cases, then restarts. A report that was written by an older version has no restarts. */
export function rowsOf({
  cases,
  restarts = [],
}: {
  cases: readonly Row[]
  restarts?: readonly RestartRow[]
}): Row[] {
  return [...cases, ...restarts]
}

/** The cases that fail the report: its problems, and its warnings where they count. */
export function failuresIn({
  problems,
  warnings,
  fail_on,
}: Pick<Report, 'problems' | 'warnings' | 'fail_on'>): Row[] {
  return fail_on === 'warnings' ? [...problems, ...warnings] : problems
}

/** `2 problems, 1 warning in 57 cases`; `0 problems in 18 of 48 cases, 1 not reached` when some that were planned were not played. */
export function summaryOf(report: WrittenReport): string {
  const { problems, warnings, interrupted, patience } = report
  const start = interrupted ? 'Interrupted: ' : ''
  if (patience) {
    const unmet = patience.needs.filter(({ is_met }) => !is_met).length
    return `${start}patience${patience.needs.length === 0 ? '' : `, ${counted(unmet, 'need')} not met`}`
  }
  const warned = warnings.filter(isPlayed).length
  const found = counted(problems.length, 'problem') + (warned > 0 ? `, ${counted(warned, 'warning')}` : '')
  const unreached = rowsOf(report).filter(row => !isPlayed(row)).length
  return `${start}${found} in ${playedText(report)}${unreached > 0 ? `, ${unreached} not reached` : ''}`
}

function isPlayed({ verdict }: Row): boolean {
  return verdict !== 'not_reached'
}

export function playedCounts(report: Pick<ReportData, 'cases' | 'restarts' | 'planned'>): {
  played: number
  planned: number
} {
  const rows = rowsOf(report)
  return { played: rows.filter(isPlayed).length, planned: report.planned ?? rows.length }
}

/** `57 cases`, `12 restarts`, `18 of 48 cases` when some that were planned were not played, or `57 cases (40 reused)`. */
export function playedText(report: Pick<ReportData, 'cases' | 'restarts' | 'planned' | 'reuse'>): string {
  const { played, planned } = playedCounts(report)
  const all = counted(planned, report.restarts.length > 0 ? 'restart' : 'case')
  const reused = report.reuse ? ` (${report.reuse.cases} reused)` : ''
  return `${planned === played ? all : `${played} of ${all}`}${reused}`
}

/** What was explored without a command of its own: `A system of web, worker`, or `A function`. */
export function subjectText({ services }: Pick<ReportData, 'services'>): string {
  return services ? `A system of ${services.join(', ')}` : 'A function'
}

/** `Real time: no request came from a process that could be tied ….` Reports say which time was used, why, and where that of a system went. */
export function timeLine({ time: { used, why }, ...report }: TimedReport): string {
  const line = `${used === 'virtual' ? 'Virtual' : 'Real'} time: ${why}.`
  const rows = rowsOf(report)
  return [line, ...(report.services ? wallLines(rows) : []), ...paceLines(rows)].join(' ')
}

/** `In 3 of the runs shown time went as fast as wall time for 45.0 s, for sleep, which did not follow the clock.` */
function paceLines(rows: readonly Row[]): string[] {
  const paces = rows.flatMap(({ wall_pace: pace }) => (wallPaceText(pace) !== '' && pace) || [])
  const ms = paces.reduce((sum, pace) => sum + pace.ms, 0)
  const programs = [...new Set(paces.flatMap(pace => pace.programs))].sort()
  const text = wallPaceText({ ms, programs })
  return text === '' ? [] : [`In ${paces.length} of the runs shown ${text}.`]
}

type TimedReport = Pick<ReportData, 'time' | 'services' | 'cases' | 'restarts'>

/** `The 52 runs shown took 345.2 s of wall time, 60.3 s of it until their services were ready; the longest: a.create#1 task_stuck 41.2 s.` */
function wallLines(rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const sum = (all: readonly number[]) => seconds(all.reduce((total, ms) => total + ms, 0))
  const longest = [...rows].sort((one, other) => other.ms - one.ms).slice(0, 3)
  const named = longest.map(row => `${nameOfRow(row)} ${seconds(row.ms)}`).join(', ')
  const shown = rows.length === 1 ? 'The run shown' : `The ${rows.length} runs shown`
  const all = `${shown} took ${sum(rows.map(({ ms }) => ms))} of wall time`
  const ready = `${sum(rows.map(({ ready_ms = 0 }) => ready_ms))} of it until their services were ready`
  return [`${all}, ${ready}; the longest: ${named}.`]
}

/** `41.2 s` of wall milliseconds. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** An accepted problem that no longer occurs, as a line. */
export function staleText({ operation, id, verdict, end, bill }: KnownProblem): string {
  return [operation, id, verdict ?? `${end} ${bill}`].join(' ')
}

/** Marks the rows whose problems are known, and lists known problems that no longer occur: no case that they name is left to be played. */
export function withAccepted<T extends Pick<ReportData, 'cases' | 'restarts' | 'not_tried' | 'not_asked'>>(
  data: T,
  known: readonly Accepted[],
): T & Pick<ReportData, 'cases' | 'restarts' | 'stale'> {
  const entries = knownCases(known)
  const marked = <R extends Row>(row: R): R => {
    const accepted = knownReason(row, known)
    return accepted === undefined ? row : { ...row, accepted }
  }
  const rows = rowsOf(data)
  const unplayed = [
    ...data.not_tried.filter(({ kind }) => kind === 'case').map(({ what }) => what),
    ...rows.filter(row => !isPlayed(row)).map(nameOfRow),
    ...(data.not_asked ?? []),
  ]
  // What was not explored this time may still occur.
  const isTried = (one: KnownProblem) =>
    one.id.startsWith('killed') === data.restarts.length > 0 && !unplayed.some(name => isNamed(name, one))
  const stale = entries.filter(one => isTried(one) && !rows.some(row => isAccepted(row, one)))
  return { ...data, cases: data.cases.map(marked), restarts: data.restarts.map(marked), stale }
}

/** What a reader should know beside the cases, as sentences without their end. */
export function notesOf({
  differs,
  may_have_left: runs = [],
  played_once: once = [],
  explained = [],
  cleaned = [],
  undisturbed_findings: found = [],
  undisturbed_refusals: refused = [],
  on_the_wall: parts = [],
  reuse,
}: ReportData): string[] {
  const left = `a process of ${runs.join(', ')} may still run: it holds the program's output open, and explore cannot find it`
  return [
    ...(reuse ? [reuseText(reuse)] : []),
    ...cleaned,
    ...found.map(
      text => `also undisturbed, ${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`,
    ),
    ...refused.map(
      ({ operation, service, status, said, times }) =>
        `also undisturbed, ${operation}${service === undefined ? '' : ` of ${service}`} was refused${times === 1 ? '' : ` ${times} times`} with ${status}${said === undefined ? '' : `: ${said.replace(/\.$/, '')}`}`,
    ),
    ...(parts.length > 0
      ? [
          `the time of ${parts.join(', ')} is that of the wall: while the program's own is skipped, nothing expires or comes due there; \`--time real\` plays a case without that`,
        ]
      : []),
    ...(differs === undefined ? [] : [differs]),
    ...(runs.length > 0 ? [left] : []),
    ...(once.length > 0
      ? [`played once, and not twice as other problems, because no time was left: ${namesText(once)}`]
      : []),
    ...(explained.length > 0
      ? [
          `left out of the report, because one of the two failures alone has the same cause: ${counted(explained.length, 'pair')}`,
        ]
      : []),
  ]
}

const mostNames = 12

/** Names of cases in a line; the first of many. The report in JSON has all. */
export function namesText(names: readonly string[]): string {
  const hidden = names.length - mostNames
  return `${names.slice(0, mostNames).join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''}`
}

function reuseText({ from, cases, why }: Reuse): string {
  if (why !== undefined) return `nothing is reused from ${from}, so every case was played: ${why}`
  return `${counted(cases, 'case')} reused from ${from}, of which no program file has changed`
}

/** The command that plays a row again. */
export function replayLine(report: Replayed, row: Row): string {
  const [single = ''] = nameOfRow(row).split(' + ')
  const pairs = row.and === undefined ? '' : ` --only ${shellText([row.and])} --pairs`
  const { before, after } = replayOf(report)
  return `${before}${shellText([single])}${pairs}${after}`
}

type Replayed = Pick<ReportData, 'command' | 'replay' | 'services'>

/** The command that explores the same program, before and after the name of what shall be played. */
export function replayOf({ command, replay = '', services }: Replayed): { before: string; after: string } {
  const options = replay === '' ? '' : ` ${replay}`
  // A file says what a system is driven by.
  const what = command === undefined && services ? '' : ` -- ${command ?? 'COMMAND'}`
  return { before: `${installedCommand} explore${options} --only `, after: what }
}

/** Words quoted for a shell: in single quotes for POSIX shells, in double quotes for those of Windows. */
export function shellText(
  words: readonly string[],
  platform: NodeJS.Platform = globalThis.process?.platform ?? 'linux',
): string {
  return words.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(' ')
}

function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** What the explored failures cost, and how many cases had each verdict. */
export type Totals = { bill: BillTotals } & Partial<Record<Verdict, number>>

/** Sums over all cases, in credits. */
export interface BillTotals {
  /** The sum of `lost` in the bills. */
  lost: { credits: number; cases: number }
  /** Settled above the sum of the undisturbed run, where tasks were paid for again. */
  twice: { credits: number; cases: number }
}

/** The totals of some cases, the bill first, then the verdicts, the worst first. */
export function totalsOf(cases: readonly Row[]): Totals {
  const played = cases.filter(({ verdict }) => verdict !== 'not_reached')
  const lost = played.filter(({ bill }) => bill.lost > 0)
  const twice = played.filter(({ bill }) => bill.verdict === 'twice' && !bill.is_expected)
  const counts = verdicts.map(
    verdict => [verdict, cases.filter(row => row.verdict === verdict).length] as const,
  )
  return {
    bill: {
      lost: { credits: sum(lost.map(({ bill }) => bill.lost)), cases: lost.length },
      twice: { credits: sum(twice.map(({ bill }) => bill.settled - bill.undisturbed)), cases: twice.length },
    },
    ...Object.fromEntries(counts.filter(([, count]) => count > 0)),
  }
}

export function costOf(cases: readonly Row[]): number {
  const { lost, twice } = totalsOf(cases).bill
  return lost.credits + twice.credits
}

function sum(amounts: readonly number[]): number {
  return rounded(amounts.reduce((total, amount) => total + amount, 0))
}

/** `lost 36 credits in 6 cases, paid 12 twice in 2`; undefined when no case cost more than it should. */
export function billText({ bill: { lost, twice } }: Totals): string | undefined {
  const parts = [
    ...(lost.cases > 0 ? [`lost ${lost.credits} credits in ${counted(lost.cases, 'case')}`] : []),
    ...(twice.cases > 0 ? [twiceText(twice, lost.cases > 0)] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : undefined
}

function twiceText({ credits, cases }: BillTotals['twice'], isSecond: boolean): string {
  return isSecond
    ? `paid ${credits} twice in ${cases}`
    : `paid ${credits} credits twice in ${counted(cases, 'case')}`
}
