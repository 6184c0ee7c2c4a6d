import { proxyHint } from '../../emulator/gateway.ts'
import { realTime } from '../../emulator/ground.ts'
import { downloadOperation, formatDuration, makesTask, type ScenarioDocument } from '../../emulator/words.ts'
import type { ControlClient } from '../../kits/client.ts'
import { refusalText, type WallPace } from '../../kits/views.ts'
import { counted } from '../judge/counted.ts'
import { resultsOf } from '../judge/results.ts'
import { requestLines, wallPaceText } from '../judge/row.ts'
import { uncaughtErrorOf } from '../judge/uncaught/index.ts'
import { systemLog } from '../judge/written.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { callsOf, isRefusedByItself, type ObservedCall } from '../plan/plan.ts'
import { paceOf } from '../plan/poll-pace.ts'
import { scenarioName } from '../plan/scenario.ts'
import { type KeptPlace, keptPlace } from '../run/kept-files.ts'
import { endedByItself, type Run, type SystemRun, type TimeChoice } from '../run/run.ts'
import type { TwoLives } from '../run/two-lives.ts'
import { filesReady, runOnce } from '../run/world-run.ts'
import type { Exploration } from './settings.ts'
import { replacedText, whyUntied } from './unseen-libraries.ts'

/** The undisturbed run, with which all other runs are compared. */
export interface Baseline {
  observed: WorldObservation
  calls: ObservedCall[]
  /** What the program wrote. */
  output: string
  ms: number
  /** Its processor time, ms; absent where it is not known. */
  busyMs?: number
  /** The scenarios that act in each run: those of the world `default`. */
  active: ScenarioDocument[]
  /** The time between two polls of a task, wall ms; undefined when no undisturbed run polled one twice. */
  paceMs: number | undefined
  /** What differs between the two undisturbed runs. */
  differs?: string
  /** What became of the parts of a system. */
  system?: SystemRun
  /** Where the program left its results as files; absent when that is not known. */
  kept?: KeptPlace
  /** Two undisturbed lives with one state, when the program is killed and started again. */
  lives?: TwoLives
}

/** Why a program is explored in real time. */
const notDriven =
  'no request came from a process that could be tied to the clock of its world; only those of Node and Python can be'

/** The undisturbed run failed or made no call, so nothing can be explored. */
export class BaselineError extends Error {
  /** The end of what the program wrote. */
  readonly output: string
  /** Whether the cause may be that its files were still being rendered. */
  readonly mayPass: boolean
  /** Whether it would be the same in real time. */
  readonly isFinal: boolean
  /** How long its time went as fast as wall time, and for which programs; undefined when it did not. */
  readonly wallPace: WallPace | undefined

  constructor(
    message: string,
    {
      output,
      mayPass = false,
      isFinal = false,
      wallPace,
    }: { output: string; mayPass?: boolean; isFinal?: boolean; wallPace?: WallPace | undefined },
  ) {
    super(message)
    this.wallPace = wallPace
    this.name = 'BaselineError'
    this.output = output
    this.mayPass = mayPass
    this.isFinal = isFinal
  }
}

/**
 * Runs the subject twice without failures; other runs are compared with the second one. The files are rendered
 * during the first run, which may make the program fail or call more often. When the first run ends with an
 * error and had made files, it is repeated. When the two runs differ, a third one is made and used. Throws BaselineError.
 */
export async function baselineOf(exploration: Exploration): Promise<Baseline> {
  const first = await undisturbed(exploration, {}).catch(error => {
    if (error instanceof BaselineError && error.mayPass) return undisturbed(exploration, {})
    throw error
  })
  const isUntied = whyUntied(first.observed.unseenLibraries) !== undefined
  // It is made again in real time.
  if (exploration.settings.time === 'auto' && isUntied) return first
  const second = await undisturbed(exploration, { earlier: first, shows: 'files' })
  const isSame = differenceOf(first.calls, second.calls) === undefined
  if (isSame && filesIn(second.calls) >= filesIn(first.calls)) return withPace(second, [first])
  const third = await undisturbed(exploration, { shows: 'files' })
  const differs = differenceOf(second.calls, third.calls) ?? notAgain(first.calls, third.calls, exploration)
  return { ...withPace(third, [first, second]), ...(differs !== undefined && { differs }) }
}

/** The time in which a program was explored, and why. */
export interface TimeUsed {
  /** Which time it was. */
  used: Exclude<TimeChoice, 'auto'>
  /** The reason, as a sentence. */
  why: string
}

/** The undisturbed run, and the time in which it was made. */
interface TimedBaseline {
  baseline: Baseline
  time: TimeUsed
}

/**
 * Runs the program undisturbed, in the time that the settings choose. With `auto`, virtual time is used when the program's own sleeps
 * moved the clock of its world. When the undisturbed run fails with virtual time, it is made again in real time. Throws BaselineError.
 */
export async function timedBaseline(exploration: Exploration): Promise<TimedBaseline> {
  const { time } = exploration.settings
  if (time !== 'auto') {
    const baseline = await baselineOf(exploration)
    return { baseline, time: { used: time, why: withReplaced('as asked for', baseline) } }
  }
  const tried = await baselineOf(exploration).catch(error => {
    if (error instanceof BaselineError && !error.isFinal && !exploration.settings.signal.aborted) return error
    throw error
  })
  if (tried instanceof BaselineError) return inRealTime(exploration, tried)
  const why = whyReal(tried)
  if (why !== undefined)
    return { baseline: await baselineOf(timed(exploration, 'real')), time: { used: 'real', why } }
  if (tried.observed.isDriven) {
    const why = withReplaced("the program's own sleeps move the clock", tried)
    return { baseline: tried, time: { used: 'virtual', why } }
  }
  return { baseline: tried, time: { used: 'real', why: notDriven } }
}

/** Why not all processes of a run could be tied to the clock of its world; undefined when they could, as far as is known. */
function whyReal({ observed, system }: Baseline): string | undefined {
  const left = whyUntied(observed.unseenLibraries)
  const { untied = [] } = system ?? {}
  if (left !== undefined || untied.length === 0) return left
  return `no process of ${untied.join(', ')} could be tied to the clock of its world; only those of Node and Python can be`
}

function withReplaced(why: string, { observed: { unseenLibraries } }: Baseline): string {
  return [why, whyUntied(unseenLibraries), replacedText(unseenLibraries)].filter(Boolean).join('; ')
}

async function inRealTime(exploration: Exploration, { message }: BaselineError): Promise<TimedBaseline> {
  const why = `with virtual time ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  return { baseline: await baselineOf(timed(exploration, 'real')), time: { used: 'real', why } }
}

export function timed(exploration: Exploration, time: TimeUsed['used']): Exploration {
  return { ...exploration, settings: { ...exploration.settings, time } }
}

/** The baseline with the pace of one more undisturbed run, which is made now. When that fails, the baseline is as before. */
export async function measuredAgain(exploration: Exploration, baseline: Baseline): Promise<Baseline> {
  const again = await undisturbed(exploration, {}).catch(error => {
    if (error instanceof BaselineError) return undefined
    throw error
  })
  return again ? withPace(baseline, [again]) : baseline
}

function withPace(baseline: Baseline, others: readonly Baseline[]): Baseline {
  const paces = [baseline, ...others].flatMap(({ paceMs }) => paceMs ?? [])
  return { ...baseline, paceMs: paces.length > 0 ? Math.min(...paces) : undefined }
}

/** The undisturbed run may take this many times the limit: it waits until its files are rendered. For the cases they are ready. */
const patience = 3

/**
 * The active scenarios of the world `default`, whole: another world does not know those that were posted to it. The list of all known scenarios
 * would take longer, because it reads their files.
 */
async function activeScenarios({ world, worlds }: ControlClient): Promise<ScenarioDocument[]> {
  const open = await worlds()
  const names = open.find(({ id }) => id === world.id)?.scenarios ?? []
  const documents = await Promise.all(names.map(async name => (await world.scenarios.get(name)).document))
  // One that explore wrote has the name of that of a case, which would replace it.
  return documents.map(one => (one.name === scenarioName ? { ...one, name: `given-${scenarioName}` } : one))
}

interface Purpose {
  /** The run before it, which made calls. */
  earlier?: Baseline
  /** What is looked for beside its calls: the place where the program leaves its results. */
  shows?: 'files'
}

async function undisturbed(exploration: Exploration, { earlier, shows }: Purpose): Promise<Baseline> {
  const { emulator, settings } = exploration
  const strangers = (await emulator.world.requests.list()).length
  const active = await activeScenarios(emulator)
  const sinceMs = realTime.wallNow()
  let kept: KeptPlace | undefined
  const { run, observed } = await runOnce(exploration, {
    name: 'undisturbed',
    limitMs: patience * settings.limitMs,
    isOverByService: true,
    scenarios: active,
    async afterwards({ run: { exit }, observed: { tasks } }, place) {
      if (!endedByItself(exit)) return
      await filesReady(tasks, settings)
      if (shows === 'files') kept = await keptPlace(place, { folder: settings.folder, sinceMs })
    },
  })
  const calls = callsOf(observed.requests)
  const why = run.system ? systemFailureOf(run, run.system) : programFailureOf(run)
  const isUntied =
    run.exit.kind === 'limit' && settings.time === 'virtual' && observed.endedAt === Date.parse(settings.now)
  const { wallPace } = observed
  const pace = wallPaceText(wallPace)
  const left = whyUntied(observed.unseenLibraries)
  const untiedText = isUntied
    ? `: ${left ?? notDriven}; explore it in real time`
    : left === undefined
      ? ''
      : `; ${left}`
  if (why !== undefined)
    throw new BaselineError(
      `The undisturbed run ${why}${untiedText}${pace && `; ${pace}`}${refusedIn(observed)}${calls.length > 0 ? '' : proxied(emulator.url, exploration)}`,
      {
        output: outputOf(run),
        wallPace,
        mayPass:
          !settings.signal.aborted &&
          endedByItself(run.exit) &&
          observed.tasks.some(({ media }) => media.length > 0),
      },
    )
  const unreceived = settings.withoutResult ? undefined : unreceivedIn(observed)
  if (unreceived !== undefined)
    throw new BaselineError(
      `The undisturbed run made ${counted(observed.tasks.length, 'task')} and received no result: ${unreceived}. A program that only cancels or lists is explored with ${exploration.states ? '--without-result' : 'withoutResult: true'}`,
      { output: run.output },
    )
  if (calls.length > 0) {
    const paceMs = paceOf(observed)
    const { output, ms, busyMs, system } = run
    const parts = {
      ...(kept && { kept }),
      ...(system && { system }),
      ...(busyMs !== undefined && { busyMs }),
    }
    return { observed, calls, output, ms, active, paceMs, ...parts }
  }
  if (earlier) throw new BaselineError(remembers(exploration), { output: run.output, isFinal: true })
  const astray = (await emulator.world.requests.list()).length - strangers
  const seen =
    astray > 0
      ? `no request reached the world of the run, and ${astray} reached the world default`
      : `no request came to ${emulator.url}${proxied(emulator.url, exploration)}`
  throw new BaselineError(
    `The undisturbed run made no call: ${seen}; ${addressAdvice(exploration, astray > 0)}`,
    { output: run.output },
  )
}

/** Which request was refused last, as a part of a sentence; empty when none was. Programs often keep to themselves why. */
function refusedIn({ requests }: WorldObservation): string {
  const refused = requests.findLast(isRefusedByItself)
  if (!refused) return ''
  const reason = refused.response.body ? refusalText(refused) : refused.fault
  return `; the last of its requests that was refused: ${requestLines([refused])[0]}${reason && ` (${reason})`}`
}

/**
 * The states of the tasks of a run that made some and received nothing from them: no reply told of a success, and no file came whole.
 * Undefined when it received a result, or made no task.
 */
function unreceivedIn(observed: WorldObservation): string | undefined {
  const { seen, fetched } = resultsOf(observed)
  if (seen.length > 0 || fetched.length > 0 || observed.tasks.length === 0) return undefined
  const states = [...new Set(observed.tasks.map(({ status }) => status))]
  const count = (state: string) => observed.tasks.filter(({ status }) => status === state).length
  return `no reply that it read says that a task has succeeded; in the end they are ${states.map(state => `${state} (${count(state)})`).join(', ')}`
}

/** A function has the environment of this process; a command is given one that spares the emulator. */
function proxied(url: string, { states }: Exploration): string {
  const hint = states ? undefined : proxyHint(url)
  return hint === undefined ? '' : ` (${hint})`
}

/** How the subject gets the address of its world. Functions have no state folder, commands have one. */
function addressAdvice({ states }: Exploration, isAstray: boolean): string {
  if (!states) return 'the function gets its address and key as `world.baseUrl` and `world.apiKey`'
  if (isAstray) return 'give the program the key in GATEWAY_EMULATOR_KEY, or --env NAME={key}'
  const work = states.end ? ', and a folder of --state in which something is left to do' : ''
  return `give the program this address, such as with --env BASE_URL={url} --env API_KEY={key}${work}`
}

function remembers(exploration: Exploration): string {
  const where = exploration.states ? ' outside of its state folder' : ''
  return `The undisturbed run made calls only the first time: the program remembers${where} that nothing is left to do; ${forgetting(exploration)}`
}

/** Why other runs cannot be compared with this run of a system: a part that is not ready or ended, its driver, or its check. Undefined when it ended well. */
function systemFailureOf(run: Run, { notReady, ended, check }: SystemRun): string | undefined {
  const left = ended.find(({ exit, isBeside }) => isBeside || exit.kind !== 'ended' || exit.code !== 0)
  if (left)
    return `of the service ${left.name} ${programFailureOf({ ...run, ...left }) ?? 'ended with 0'}, although nobody had ended it`
  if (notReady) return `could not begin: the service ${notReady.name} ${notReady.why}`
  const driver = programFailureOf(run)
  if (driver !== undefined) return `of the driver ${driver}`
  const checked = check && programFailureOf({ ...run, ...check })
  return checked === undefined ? undefined : `was wrong by its check, which ${checked}`
}

/** What the part wrote by which a run failed. */
function outputOf({ output, system }: Run): string {
  const left = system?.ended.find(
    ({ exit, isBeside }) => isBeside || exit.kind !== 'ended' || exit.code !== 0,
  )
  const part = left ?? system?.notReady
  if (part) return part.output
  return system ? systemLog(output, system, text => text.trimEnd()) : output
}

/** Why they cannot be compared with this run of a program; undefined when it ended with 0. */
function programFailureOf(run: Run): string | undefined {
  const { exit } = run
  const error = exit.kind === 'ended' ? uncaughtErrorOf(run) : undefined
  if (error) return `ended with an error: ${error.line}`
  switch (exit.kind) {
    case 'ended':
      return exit.code === 0 ? undefined : `ended with ${exit.code}`
    case 'threw':
      return `ended with 1: ${exit.message}`
    case 'signal':
      return `was ended by ${exit.signal}`
    case 'limit':
      return `did not end within ${formatDuration(exit.ms)}, three times the limit`
    case 'endless':
      return `did not end within ${formatDuration(exit.ms)} of virtual time`
  }
}

/** The differences between the calls of two runs, by operation; undefined when they made the same calls. */
function differenceOf(first: readonly ObservedCall[], second: readonly ObservedCall[]): string | undefined {
  const operations = [...new Set([...first, ...second].map(({ operation }) => operation))]
  const differing = operations.filter(one => countOf(first, one) !== countOf(second, one))
  if (differing.length === 0) return undefined
  const list = differing.map(one => `${one} ${countOf(first, one)} and ${countOf(second, one)} times`)
  return `the two undisturbed runs made different calls: ${list.join(', ')}; calls are matched by operation and ordinal`
}

/**
 * Says which work a program did more often in its first run, in which its files are rendered; undefined when it did all of it again. Polls do not count.
 * All runs have the same ids of tasks, so a program that names its files by them finds those of an earlier run.
 */
function notAgain(
  first: readonly ObservedCall[],
  later: readonly ObservedCall[],
  exploration: Exploration,
): string | undefined {
  const work = [...new Set(first.map(({ operation }) => operation))].filter(
    one => makesTask(one) || one === downloadOperation,
  )
  const less = work.filter(one => countOf(later, one) < countOf(first, one))
  const list = less.map(one => `${one} ${countOf(first, one)} and ${countOf(later, one)} times`)
  if (less.length > 0)
    return `the first undisturbed run made more calls than the later ones: ${list.join(', ')}; only those of the later ones are tried: the program remembers something outside of its state folder, or does more while its files are rendered; ${forgetting(exploration)}`
  const [firstFiles, laterFiles] = [filesIn(first), filesIn(later)]
  if (laterFiles >= firstFiles) return undefined
  return `the first undisturbed run received bytes of a file ${counted(firstFiles, 'time')} and the later ones ${counted(laterFiles, 'time')}: the program keeps files of earlier runs, whose tasks have the same ids, and the faults of a file that it does not receive are not tried; ${forgetting(exploration)}`
}

/** How a program is made to forget what earlier runs left. */
function forgetting({ states }: Exploration): string {
  return states
    ? 'begin without what it keeps, and name its folder with --state DIR, or lead it to a new one with {state} in --env or in the command'
    : 'it must forget this before each run'
}

/** How many replies had bytes of a file. */
function filesIn(calls: readonly ObservedCall[]): number {
  return calls.filter(
    ({ operation, request: { method, status } }) =>
      operation === downloadOperation && method === 'GET' && (status === 200 || status === 206),
  ).length
}

function countOf(calls: readonly ObservedCall[], operation: string): number {
  return calls.filter(call => call.operation === operation).length
}
