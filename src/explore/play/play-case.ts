import { realTime } from '../../emulator/ground.ts'
import { downloadOperation, type ScenarioDocument } from '../../emulator/words.ts'
import { type Disk, diskOf } from '../judge/disk.ts'
import { hasActed, notReachedOf } from '../judge/not-reached.ts'
import { type Row, requestLines, systemCallsOf, wallOf } from '../judge/row.ts'
import { ownFrame } from '../judge/uncaught/error.ts'
import { framesOfStack } from '../judge/uncaught/node.ts'
import { verdictOf } from '../judge/verdict.ts'
import type { Facts } from '../judge/verdicts.ts'
import { goesOnFor, heldToEndIn, isSilent } from '../judge/waiting.ts'
import { logOf } from '../judge/written.ts'
import { type CallName, type Case, isSameCall, nameOfCall, nameOfCase } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { whyInOrder } from '../plan/orders.ts'
import { callsOf, isRefusedByItself, type NotTried, notMade, type ObservedCall } from '../plan/plan.ts'
import { isOfExplore, ruleNames, rulesByFailure, scenarioOf, secondOf } from '../plan/scenario.ts'
import { downloadedFiles, keptFiles } from '../run/kept-files.ts'
import { endedByItself, type ToldCall } from '../run/run.ts'
import { type Done, filesReady, type OpenCase, type Order, runOnce } from '../run/world-run.ts'
import { type Baseline, measuredAgain } from './baseline.ts'
import { type ComparedCase, type Played, playRestart } from './play-restart.ts'
import type { Exploration } from './settings.ts'

/**
 * Plays one case in a world of its own and gives the verdict. A task that is made later than in the undisturbed run has another file. If
 * the emulator was rendering any file, of any world, when the program gave up or was ended, the cause may be a busy machine: the
 * case is played once more.
 */
export async function playCase(exploration: Exploration, given: ComparedCase): Promise<Played> {
  const { active, lives } = given.baseline
  if (lives) return playRestart(exploration, { one: given.one, active, undisturbed: lives })
  const isOfFile = [given.one, given.one.and].some(failed => failed?.operation === downloadOperation)
  const { kept } = given.baseline
  const inTurn = (afterwards?: Order['afterwards']): Promise<PlayedOnce> => {
    const play = async (): Promise<PlayedOnce> => {
      const reason = given.whyLeft?.()
      if (reason !== undefined) return { missed: missedCase(given.one, reason), mayBeLate: false }
      return playOnce(exploration, given, afterwards)
    }
    if (kept?.kind !== 'working') return play()
    return isOfPart(given.one) || given.isAgain ? kept.turns.alone(play) : kept.turns.beside(play)
  }
  const first = await inTurn(async ({ observed, wasRendering }) => {
    // A download that fails may never get a reply.
    if (wasRendering && !isOfFile) await filesReady(observed.tasks, exploration.settings)
  })
  const isDoubtful = first.mayBeLate && first.row !== undefined && mayBeOfBusyMachine(first.row)
  const again = isDoubtful ? await inTurn() : first
  const isMet = again.row !== undefined && again.row.verdict !== 'not_reached'
  const isLast = isMet || exploration.settings.signal.aborted
  const { row, missed } = isLast ? again : first
  return { ...(row && { row }), ...(missed && { missed }) }
}

type PlayedOnce = Played & { mayBeLate: boolean }

async function playOnce(
  exploration: Exploration,
  { one, baseline }: ComparedCase,
  afterwards?: Order['afterwards'],
): Promise<PlayedOnce> {
  const scenario = scenarioOf(one)
  const sinceMs = realTime.wallNow()
  let disk: Disk | undefined
  const done = await runOnce(exploration, {
    name: nameOfCase(one),
    limitMs: exploration.settings.limitMs,
    goesOn: goesOnFor(one),
    scenarios: [scenario, ...baseline.active],
    async afterwards(done, place) {
      await afterwards?.(done, place)
      if (done.run.exit.kind === 'ended' && done.run.exit.code === 0)
        disk = await lackingOnDisk(exploration, { one, baseline, place, sinceMs })
    },
  })
  const mayBeLate = done.wasRendering && (endedByItself(done.run.exit) || mayAwaitFile(done))
  const known = { exploration, one, scenario, ...(disk && { disk }) }
  const played = playedOf(done, { ...known, baseline })
  if (!seemsHurried(played)) return { ...played, mayBeLate }
  // Other programs may have slowed the undisturbed runs down, so that the same pace seems fast now.
  const now = await measuredAgain(exploration, baseline)
  return { ...playedOf(done, { ...known, baseline: now }), mayBeLate }
}

/**
 * Whether a program is sent a part of a file first. Of the working folder only such a run shows anything: in the others, what lies there may
 * be of an earlier run.
 */
function isOfPart({ failure, and }: Case): boolean {
  return [failure, and?.failure].some(one => one?.id === 'file_truncated' || one?.id === 'file_stalled')
}

/** What the folder in which the undisturbed program leaves its results lacks of them after a run; undefined when nothing is known to lack. */
async function lackingOnDisk(
  { settings: { folder } }: Exploration,
  { one, baseline: { kept }, place, sinceMs }: ComparedCase & { place: OpenCase; sinceMs: number },
): Promise<Disk | undefined> {
  const { world, state } = place
  if (!kept || state === undefined) return undefined
  const isWorking = kept.kind === 'working'
  if (isWorking && !isOfPart(one)) return undefined
  const now = await keptFiles(
    isWorking ? folder : state,
    () => downloadedFiles(world),
    isWorking ? { sinceMs, isWorkingFolder: true } : {},
  )
  const disk = diskOf(kept.files, now)
  if (!disk || disk.whole.length >= disk.expected) return undefined
  return isWorking && !disk.broken ? undefined : disk
}

/** A program that told, or that was only rude, did what it would do on a fast machine. */
function mayBeOfBusyMachine({ level, verdict }: Row): boolean {
  return level !== 'good' && verdict !== 'rude'
}

function seemsHurried({ row }: Played): boolean {
  return row?.verdict === 'rude' && row.findings.some(({ kind }) => kind === 'polls_too_fast')
}

/** Whether a program that explore ended may have been waiting for a file: a download is in the journal only when its reply has begun. */
function mayAwaitFile({ run, observed: { requests, tasks } }: Done): boolean {
  const last = requests.at(-1)
  return (
    run.exit.kind === 'limit' &&
    last !== undefined &&
    last.operation !== downloadOperation &&
    !isSilent(last) &&
    tasks.some(({ media }) => media.length > 0)
  )
}

function playedOf(
  { run, observed, stories, trace }: Done,
  {
    exploration,
    one,
    baseline,
    scenario,
    disk,
  }: ComparedCase & { exploration: Exploration; scenario: ScenarioDocument; disk?: Disk },
): Played {
  if (exploration.settings.signal.aborted) return { missed: missedCase(one, 'interrupted') }
  const facts: Facts = {
    one,
    run,
    observed,
    baseline: baseline.observed,
    undisturbedOutput: baseline.output,
    ...(baseline.system && { undisturbedSystem: baseline.system }),
    paceMs: baseline.paceMs,
    ...(disk && { disk }),
    heldToEnd: heldToEndIn(trace, observed.requests),
    folder: exploration.settings.folder,
  }
  const lost = run.system?.ended.find(({ isBeside }) => isBeside)
  if (lost) return { missed: missedCase(one, `${lost.name}, a part beside, ended by itself`) }
  const shown = { observed, trace }
  const absent = absentOf(one, shown)
  const inOrder = absent ? undefined : whyInOrder(one, callsOf(observed.requests))
  if (inOrder !== undefined) return { missed: missedCase(one, inOrder) }
  const isUntouched = absent !== undefined && !hasActed(rulesByFailure(one).flat(), shown)
  const judgement = isUntouched ? notReachedOf(facts, absent) : absent ? undefined : verdictOf(facts)
  if (!judgement) return { missed: missedCase(one, whyNotActed(one, { absent: absent ?? one, ...shown })) }
  const { operation, nth, failure, and } = one
  const { folder } = exploration.settings
  const call = run.calls && callPlace(run.calls, { one, observed, folder })
  const { cause } = judgement
  return {
    row: {
      operation,
      nth,
      ...serviceOf(one, { observed, baseline }),
      id: failure.id,
      ...(one.first && { first: nameOfCall(one.first) }),
      ...(and && { and: nameOfCase(and) }),
      ...judgement,
      ...(cause?.where === null && call !== undefined && { cause: { ...cause, call } }),
      scenario,
      log: logOf(run),
      ...wallOf(run, observed),
      requests: requestLines(observed.requests),
      stories,
      ...(judgement.level === 'problem' && { trace }),
      ...(exploration.system && { system: systemCallsOf(trace, observed.requests) }),
    },
  }
}

/** The service that made the call of a case; undisturbed, where the call was not made in its run. */
function serviceOf(
  one: Case,
  { observed, baseline }: { observed: WorldObservation; baseline: Baseline },
): Pick<Row, 'service'> {
  const made = (calls: readonly ObservedCall[]) => calls.find(call => isSameCall(call, one))?.request.service
  const service = made(callsOf(observed.requests)) ?? made(baseline.calls)
  return service === undefined ? {} : { service }
}

function missedCase(one: Case, reason: string): NotTried {
  return { kind: 'case', what: nameOfCase(one), reason }
}

/** The failure of a case, or the second one of a pair, that did not act in the run; undefined when all did. */
function absentOf(one: Case, seen: Pick<Done, 'observed' | 'trace'>): Omit<Case, 'and'> | undefined {
  const [first = [], second] = rulesByFailure(one)
  if (!hasActed(first, seen) || !isRefused(one, seen.observed)) return one
  return second && !hasActed(second, seen) ? secondOf(one) : undefined
}

/** Whether the DELETE of a task that runs was refused; true for every other failure. */
function isRefused(one: Case, { requests }: WorldObservation): boolean {
  const call = callsOf(requests).find(made => isSameCall(made, one))
  return (
    one.cancels === undefined ||
    one.failure.id !== 'delete_refused' ||
    (call !== undefined && call.request.status >= 400)
  )
}

/**
 * Why a failure did not act: its call was not made, perhaps because another failure came before it, or a rule of the user's decided what became
 * of it.
 */
function whyNotActed(
  one: Case,
  { absent, ...shown }: Pick<Done, 'observed' | 'trace'> & { absent: Omit<Case, 'and'> },
): string {
  const made = callsOf(shown.observed.requests).find(call => isSameCall(call, absent))
  if (!made) {
    const [first = [], second = []] = rulesByFailure(one)
    if (absent !== one) return notMade(absent)
    if (hasActed(second, shown)) return `${notMade(absent)}: another failure of the run came first`
    return hasActed(first, shown) ? `${notMade(absent)}, in which its task ran at once` : notMade(absent)
  }
  if (isRefusedByItself(made.request))
    return `${nameOfCall(absent)} was refused with ${made.request.status} before the failure could come to it`
  const others = ruleNames(made.request).filter(name => !isOfExplore(name))
  return `the failure did not come to ${nameOfCall(absent)}${others.length === 0 ? '' : `: ${others.join(' and ')} came before it`}`
}

/** The place in the user's own files that made a call, such as `worker.mjs:17 \`call\``; undefined where several made calls like it. */
function callPlace(
  told: readonly ToldCall[],
  { one, observed, folder }: { one: CallName; observed: WorldObservation; folder: string },
): string | undefined {
  const made = callsOf(observed.requests).find(call => isSameCall(call, one))?.request
  const alike = told.filter(
    ({ method, path, service }) =>
      method === made?.method &&
      path === made.path.replace(/\?.*/s, '') &&
      (service ?? made.service) === made.service,
  )
  const places = new Set(alike.map(({ stack }) => ownFrame(framesOfStack(stack), folder)))
  return places.size === 1 ? [...places][0] : undefined
}
