import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { packageVersion } from '../../emulator/ground.ts'
import { UsageError } from '../../emulator/options.ts'
import { refusalText } from '../../kits/views.ts'
import { resultsOf } from '../judge/results.ts'
import { isRestartRow, nameOfRow, type Row } from '../judge/row.ts'
import { measurePatience } from '../patience/measure.ts'
import { type Case, casePattern, isSameCall, nameOfCase, unmet } from '../plan/case.ts'
import { ordersOf } from '../plan/orders.ts'
import { isRefusedByItself, isRestart, type NotTried, pairsOf, planOf, type Repeated } from '../plan/plan.ts'
import { sleepShareOf } from '../plan/poll-pace.ts'
import { againOf } from '../report/again.ts'
import { coverageOf } from '../report/coverage.ts'
import {
  explainedOnce,
  loadedBeside,
  type ProgramFiles,
  reusedRow,
  whyNoneReused,
} from '../report/earlier.ts'
import {
  type Report,
  type ReportData,
  reportOf,
  totalsOf,
  type UndisturbedRefusal,
  withAccepted,
} from '../report/report.ts'
import { joined, type Loaded, recorderOf } from '../run/loaded-files.ts'
import type { Subject } from '../run/run.ts'
import { eachInTurn } from '../run/world-run.ts'
import { victimOf } from '../system/service-dies.ts'
import { type Baseline, type TimeUsed, timed, timedBaseline } from './baseline.ts'
import { defaults } from './options.ts'
import { playCase } from './play-case.ts'
import { type Played, undisturbedLives } from './play-restart.ts'
import type { Exploration, Settings } from './settings.ts'
import { playedAgain, withoutExplained } from './steady.ts'

/** The cases of a program, the run to compare them with, and the calls that are not tried. */
export interface Ready {
  baseline: Baseline
  time: TimeUsed
  cases: Case[]
  repeated: Repeated[]
  /** Cases that cannot be judged in this time, or that are tried only when they are asked for. */
  untimed: NotTried[]
  /** The names of the cases that `only`, `skip` or `again` leave out. */
  unasked: string[]
}

/** Runs the subject undisturbed and returns the cases to try. Throws UsageError for a pattern that matches no case. */
export async function prepare(exploration: Exploration): Promise<Ready> {
  const { emulator, settings } = exploration
  if (settings.restarts && !exploration.states) throw new UsageError(onlyCommands)
  const timedOne = await timedBaseline(exploration)
  const { time } = timedOne
  const lives = settings.restarts
    ? await undisturbedLives(timed(exploration, time.used), timedOne.baseline)
    : undefined
  const baseline: Baseline = { ...timedOne.baseline, ...(lives && { lives }) }
  if (settings.patience !== 'off')
    return { baseline, time, cases: [], repeated: [], untimed: [], unasked: [] }
  refuseVainKill(exploration, baseline)
  const { items } = await emulator.failures()
  const catalogue = items.filter(failure => isRestart(failure) === settings.restarts)
  const services = exploration.system?.services ?? []
  const programs = new Map(services.map(({ name, of }) => [name, of]))
  const found = planOf(baseline.calls, { catalogue, tasks: baseline.observed.tasks, programs })
  const orders = settings.orders && !settings.restarts ? ordersOf(found.cases, baseline.calls) : []
  const plan = { ...found, cases: [...found.cases, ...orders] }
  const only = settings.only.map(casePattern)
  const skip = settings.skip.map(casePattern)
  for (const pattern of [...only, ...skip]) {
    const wrong = unmet(pattern, plan.cases)
    if (wrong !== undefined) throw new UsageError(wrong)
  }
  const names = settings.again && new Set(settings.again.map(({ name }) => name))
  const isAsked = (one: Case) => names?.has(nameOfCase(one)) ?? true
  const isChosen = (one: Case) =>
    (only.length === 0 || only.some(pattern => pattern.isMet(one))) &&
    !skip.some(pattern => pattern.isMet(one))
  const chosen = plan.cases.filter(isChosen)
  const reasons = new Map(chosen.map(one => [one, whyNot(one, { ...exploration, time, baseline })]))
  const judged = chosen.filter(one => reasons.get(one) === undefined)
  const untimed = chosen.flatMap(one => {
    const reason = reasons.get(one)
    return reason === undefined || !isAsked(one)
      ? []
      : [{ kind: 'case' as const, what: nameOfCase(one), reason }]
  })
  const cases = (
    settings.pairs ? [...judged, ...pairsOf(judged.filter(({ first }) => !first))] : judged
  ).filter(isAsked)
  const unasked = plan.cases.filter(one => !isChosen(one) || !isAsked(one)).map(nameOfCase)
  return { baseline, time, cases, repeated: plan.repeated, untimed, unasked }
}

/** Throws UsageError for a service that is to be killed at its calls and makes none. */
function refuseVainKill(exploration: Exploration, { calls }: Baseline): void {
  const { kill } = exploration.settings
  const callers = calls.map(({ request }) => request.service)
  if (kill === undefined || callers.some(caller => victimOf(exploration, caller) !== undefined)) return
  const names = [...new Set(callers)].map(name => name ?? 'a process that nobody knows')
  throw new UsageError(
    `kill: ${kill} makes no call of the gateway at which it could be killed; ${names.join(', ')} did undisturbed`,
  )
}

const onlyCommands =
  'restarts: a function cannot be killed and started again; give a command, such as { command: ["node", "app.mjs"] }'

/** Why a case is not tried; undefined when it is. Its time limits must pass with the clock of its world, or it must be asked for. */
function whyNot(
  one: Case,
  {
    time,
    settings,
    system,
    baseline,
  }: Pick<Exploration, 'settings' | 'system'> & Pick<Ready, 'time' | 'baseline'>,
): string | undefined {
  const { id } = one.failure
  const caller = baseline.calls.find(call => isSameCall(call, one))?.request.service
  if (settings.kill !== undefined && victimOf({ system, settings }, caller) === undefined)
    return `the call is made by ${caller ?? 'a process that nobody knows'}, and only ${settings.kill} is killed`
  if (id === 'no_result_link' && !isLinked(one, baseline))
    return 'no reply of the undisturbed run has its link'
  const isNamed =
    settings.only.some(text => text.includes('not_yet')) ||
    settings.again?.some(({ name }) => name === nameOfCase(one))
  if (id === 'not_yet_visible' && !isNamed) return 'tried only when it is asked for: --only not_yet_visible'
  if (time.used === 'virtual' || (settings.clock ?? 'auto') !== 'auto') return undefined
  if (id === 'task_slow' || id === 'task_runs_long')
    return 'cannot be judged in real time: the clock `auto` skips the wait, so that no time limit of the program can pass'
  if (id === 'outage')
    return 'cannot be judged in real time: the clock `auto` does not move while every call is refused'
  return undefined
}

/** Whether the undisturbed run was given the link of the task that a call makes. */
function isLinked(one: Case, { calls, observed }: Baseline): boolean {
  const made = calls.find(call => isSameCall(call, one))?.request.task_id
  return made !== undefined && resultsOf(observed).linked.includes(made)
}

/**
 * Runs the subject undisturbed, then once for each possible failure of each of its calls, and gives each run a
 * verdict. Throws BaselineError when the undisturbed run fails or calls nothing, and UsageError for wrong patterns.
 */
export async function explore(asked: Exploration): Promise<Report> {
  const { settings } = asked
  const startedMs = performance.now()
  const { subject: told, loadedBy, covered } = toldFiles(asked)
  const { subject, mayHaveLeft } = watched(told)
  const { baseline, time, cases, repeated, untimed, unasked } = await prepare({ ...asked, subject })
  const exploration = timed({ ...asked, subject }, time.used)
  const program =
    loadedBy &&
    programFiles(settings, { baseline, time, loaded: joined(asked.prepared, loadedBy('undisturbed')) })
  const reuse = settings.reuse
  const whyNone = reuse && whyNoneReused(reuse, program)
  const jobs = jobsFor(asked, { baseline, time })
  const rows: (Row | undefined)[] = []
  const left: NotTried[] = []
  let done = 0
  const whyLeft = () => {
    if (settings.signal.aborted) return 'interrupted'
    return performance.now() - startedMs > settings.budgetMs ? 'budget' : undefined
  }
  await eachInTurn(startOrder(cases, { jobs, ...settings }), jobs, async ({ one, index }) => {
    const reused = reuse && whyNone === undefined ? reusedRow(reuse, one, settings.folder) : undefined
    const reason = reused ? undefined : whyLeft()
    if (reason !== undefined) {
      left.push({ kind: 'case', what: nameOfCase(one), reason })
      return
    }
    const { row, missed }: Played = reused
      ? { row: reused }
      : await playCase(exploration, { one, baseline, whyLeft })
    rows[index] = row
    if (missed) left.push(missed)
    settings.progress({ ...(row && { row }), index: ++done, of: cases.length })
  })
  const patience =
    settings.patience === 'off' ? undefined : await measurePatience(exploration, { baseline, time, jobs })
  const once = await playedAgain(exploration, { rows, cases, baseline, jobs, whyLeft })
  const played = rows.flatMap((row, index) => {
    const one = cases[index]
    if (!row || !one || row.reused || !program || !loadedBy) return row ?? []
    return { ...row, ...loadedBeside(program, loadedBy(nameOfCase(one))) }
  })
  const { found, explained } = withoutExplained(played)
  const notTried = [...untimed, ...left]
  const data: ReportData = {
    ...(settings.command !== undefined && { command: settings.command }),
    ...(settings.replay && { replay: settings.replay }),
    seed: settings.seed,
    now: settings.now,
    time:
      jobs > (settings.jobs ?? defaults.jobs)
        ? { ...time, why: `${time.why}; it mostly waits, so ${jobs} runs at a time` }
        : time,
    calls: baseline.calls.map(({ operation, nth, request }) => ({
      operation,
      nth,
      ...(request.service !== undefined && { service: request.service }),
      status: request.status,
    })),
    ...(exploration.system && { services: exploration.system.services.map(({ name }) => name) }),
    ...(exploration.cleaned && exploration.cleaned.length > 0 && { cleaned: exploration.cleaned }),
    ...undisturbedFindings(exploration, baseline),
    ...undisturbedRefusals(baseline),
    ...(baseline.system?.onTheWall && { on_the_wall: [...baseline.system.onTheWall] }),
    ...(baseline.differs !== undefined && { differs: baseline.differs }),
    ...(mayHaveLeft.size > 0 && { may_have_left: [...mayHaveLeft] }),
    ...(once.length > 0 && { played_once: once }),
    ...(explained.length > 0 && { explained: explained.map(nameOfRow) }),
    planned: cases.length - explained.length,
    cases: found.filter(row => !isRestartRow(row)),
    restarts: found.filter(isRestartRow),
    not_tried: [...repeated.map(({ kind, what, reason }) => ({ kind, what, reason })), ...notTried],
    ...(unasked.length > 0 && { not_asked: unasked }),
    ...(settings.again && { again: againOf(settings.again, { rows: played, notTried, unasked }) }),
    ...(patience && { patience }),
    ...(reuse && {
      reuse: {
        from: reuse.folder,
        cases: found.filter(({ reused }) => reused).length,
        ...(whyNone !== undefined && { why: whyNone }),
      },
    }),
    ...(program && { program: { ...program, ...explainedOnce(explained) } }),
    ...(settings.coverage && covered && { coverage: coverageOf(covered(), played) }),
    stale: [],
    totals: totalsOf(found),
    fail_on: settings.failOn,
    ms: Math.round(performance.now() - startedMs),
    interrupted: settings.signal.aborted,
  }
  return reportOf(withAccepted(data, settings.accept))
}

/** The subject, which tells which files its runs load where the settings want it. */
function toldFiles({
  subject,
  settings: { recorded, folder, coverage = false },
}: Exploration): Partial<ReturnType<typeof recorderOf>> & { subject: Subject } {
  return recorded === undefined ? { subject } : recorderOf(subject, folder, coverage)
}

/** What the cases of a program depend on, beside the files that only some of them load. */
function programFiles(
  { recorded, seed, limitMs, clock, restarts, kill, restartAfterMs }: Settings,
  { baseline: { active, calls }, time, loaded }: Pick<Ready, 'baseline' | 'time'> & { loaded: Loaded },
): ProgramFiles {
  const made = calls.map(({ operation, nth, request: { status } }) => ({ operation, nth, status }))
  const all = {
    version: packageVersion(),
    recorded,
    seed,
    limitMs,
    clock,
    restarts,
    kill,
    restartAfterMs,
    time: time.used,
    active,
    made,
  }
  return { setup: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16), ...loaded }
}

/** Two services that do one job twice do so undisturbed, too, so that no comparison with the undisturbed run shows it. */
function undisturbedFindings(
  { system }: Exploration,
  { observed }: Baseline,
): Pick<ReportData, 'undisturbed_findings'> {
  const found = observed.findings.filter(({ kind }) => String(kind) === 'made_twice').map(({ text }) => text)
  return system && found.length > 0 ? { undisturbed_findings: found } : {}
}

/** The program may mean these calls, or be wrong where no failure leads. */
function undisturbedRefusals({ calls }: Baseline): Pick<ReportData, 'undisturbed_refusals'> {
  const refused: UndisturbedRefusal[] = []
  for (const { operation, request } of calls) {
    if (!isRefusedByItself(request)) continue
    const { status, service, response } = request
    const one = {
      ...{ operation, status },
      ...(Boolean(response.body) && { said: refusalText(request) }),
      ...(service !== undefined && { service }),
    }
    const same = refused.find(({ times: _, ...known }) => isDeepStrictEqual(known, one))
    if (same) same.times++
    else refused.push({ ...one, times: 1 })
  }
  return refused.length > 0 ? { undisturbed_refusals: refused } : {}
}

/** All runs share the working directory and the machine, so there are never more than these at a time unless the user chooses so. */
const mostSleeping = 8

/**
 * How many runs at a time: unless it was chosen, as many of a command in real time as together keep one processor busy. Where the system does
 * not tell its processor time, all is taken for work but long pauses before polls.
 */
function jobsFor(
  { states, settings }: Exploration,
  { baseline: { observed, ms, busyMs }, time }: Pick<Ready, 'baseline' | 'time'>,
): number {
  if (settings.jobs !== undefined) return settings.jobs
  if (!states || time.used === 'virtual') return defaults.jobs
  const share = busyMs === undefined ? 1 - sleepShareOf(observed, ms) : busyMs / ms
  const fitting = Math.floor(1 / share)
  return Math.min(mostSleeping, Math.max(defaults.jobs, fitting))
}

/** The same subject; `mayHaveLeft` becomes the names of its runs of which a process may still run. */
function watched(subject: Subject): { subject: Subject; mayHaveLeft: ReadonlySet<string> } {
  const mayHaveLeft = new Set<string>()
  const run: Subject['run'] = async (world, options) => {
    const done = await subject.run(world, options)
    if (done.isOutputHeld) mayHaveLeft.add(options.name)
    return done
  }
  return { subject: { run }, mayHaveLeft }
}

/** Failures at which a program waits until its own time-out or until the limit. */
const lengthy = ['no_answer', 'file_stalled', 'task_stuck', 'slow_answer']

/**
 * The cases in the order in which they start, each with its index: those that may take long come first, so that no job waits for them at the
 * end. When they could use half of the budget they come last, since many others take no longer than a few of them.
 */
function startOrder(
  cases: readonly Case[],
  { jobs, limitMs, budgetMs }: { jobs: number } & Pick<Settings, 'limitMs' | 'budgetMs'>,
): { one: Case; index: number }[] {
  const isLengthy = ({ failure, and }: Case) => and === undefined && lengthy.includes(failure.id)
  const isMuch = (cases.filter(isLengthy).length * limitMs) / jobs > budgetMs / 2
  const rankOf = ({ one }: { one: Case }) => Number(isLengthy(one)) * (isMuch ? 1 : -1)
  return cases.map((one, index) => ({ one, index })).sort((a, b) => rankOf(a) - rankOf(b))
}
