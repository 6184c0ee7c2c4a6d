import type { RequestView } from '../../kits/views.ts'
import { type LivesFacts, livesVerdictOf } from '../judge/lives-verdict.ts'
import { notReachedOf } from '../judge/not-reached.ts'
import {
  type LifeRow,
  type RestartMoment,
  type RestartRow,
  type Row,
  requestLines,
  systemCallsOf,
  wallOf,
} from '../judge/row.ts'
import type { Facts } from '../judge/verdicts.ts'
import { goesOnFor } from '../judge/waiting.ts'
import { lastLines, logOf } from '../judge/written.ts'
import { type Case, nameOfCall, nameOfCase } from '../plan/case.ts'
import { callsOf, type NotTried, notMade } from '../plan/plan.ts'
import { scenarioOf } from '../plan/scenario.ts'
import { type Exit, endedByItself } from '../run/run.ts'
import { type Lived, type LivesOrder, liveTwice, type TwoLives } from '../run/two-lives.ts'
import { serviceDies, victimOf } from '../system/service-dies.ts'
import type { Baseline } from './baseline.ts'
import type { Exploration } from './settings.ts'

/** The result of one case: a row, or why there is none. */
export interface Played {
  row?: Row
  missed?: NotTried
}

/** A case, and what it is compared with. */
export interface ComparedCase {
  one: Case
  baseline: Baseline
  /** Why no run may start any more; undefined when one may. */
  whyLeft?(): string | undefined
  /** It is a problem that is played once more. */
  isAgain?: boolean
}

/** Two undisturbed lives with one state: the second one tells whether the program has nothing left to do, or makes its tasks anew. */
export function undisturbedLives(exploration: Exploration, { active }: Baseline): Promise<TwoLives> {
  const { limitMs } = exploration.settings
  return livesOf(exploration, { name: 'undisturbed', limitMs: 3 * limitMs, active })
}

/** Of a system one service dies; a program dies as a whole. */
function livesOf(exploration: Exploration, order: LivesOrder): Promise<TwoLives> {
  return exploration.system ? serviceDies(exploration, order) : liveTwice(exploration, order)
}

/**
 * Kills the program at one point, starts it again, and gives the verdict. When the emulator was rendering a file at the end, the cause of a
 * problem may be a busy machine: the point is played once more.
 */
export async function playRestart(exploration: Exploration, point: Point): Promise<Played> {
  const first = await playOnce(exploration, point)
  const isDoubtful = first.isLate && first.row !== undefined && first.row.level !== 'good'
  const { isLate, ...played } =
    isDoubtful && !exploration.settings.signal.aborted ? await playOnce(exploration, point) : first
  return played
}

interface Point {
  one: Case
  active: Baseline['active']
  undisturbed: TwoLives
}

async function playOnce(
  exploration: Exploration,
  { one, active, undisturbed }: Point,
): Promise<{ row?: RestartRow; missed?: NotTried; isLate: boolean }> {
  const { limitMs, folder, signal } = exploration.settings
  const lives = await livesOf(exploration, {
    ...{ name: nameOfCase(one), limitMs, one, active },
    goesOn: goesOnFor(one),
  })
  const { first, second, held, wasRendering: isLate } = lives
  const missed = (reason: string) => ({
    missed: { kind: 'case' as const, what: nameOfCase(one), reason },
    isLate,
  })
  if (signal.aborted) return missed('interrupted')
  const judgement = held
    ? livesVerdictOf({ one, lives, undisturbed, folder })
    : notReachedOf(firstLifeOf({ one, lives, undisturbed, folder }), one)
  if (!judgement) return missed(notMade(one))
  const { exit } = first.run
  if (held && !(exit.kind === 'signal' && exit.signal === 'SIGKILL'))
    return missed(whyNotKilled(exploration, held))
  const { operation, nth, failure } = one
  const row: RestartRow = {
    operation,
    nth,
    ...(held?.service !== undefined && { service: held.service }),
    id: failure.id,
    point: { operation, nth, moment: failure.id.replace('killed_', '') as RestartMoment },
    ...judgement,
    lives: [lifeRow(first, lives), lifeRow(second, lives)],
    scenario: scenarioOf(one),
    log: logOf(second.run),
    ...wallOf(second.run, lives.observed),
    ...(!exploration.system && { ms: first.run.ms + second.run.ms }),
    requests: [
      ...requestLines(first.requests),
      `${held ? `${lives.killed ?? ''} killed at ${nameOfCall(one)}`.trim() : endedByItself(first.run.exit) ? 'ended by itself' : 'ended at its limit'}, and started again`,
      ...requestLines(second.requests),
    ],
    stories: lives.stories,
    ...(judgement.level === 'problem' && { trace: lives.trace }),
    ...(exploration.system && {
      system: {
        ...systemCallsOf(lives.trace, lives.observed.requests),
        ...(lives.killed !== undefined && { killed: lives.killed }),
        ...(lives.startedAgainAt !== undefined && { started_again_at: lives.startedAgainAt }),
      },
    }),
  }
  return { row, isLate }
}

function whyNotKilled(exploration: Exploration, { service }: RequestView): string {
  const { system, settings } = exploration
  if (!system) return 'the program ended by itself before it was killed'
  const victim = victimOf(exploration, service)
  if (victim !== undefined) return `the service ${victim} had ended before it was killed`
  const caller = service ?? 'a process that nobody knows'
  return `the call was made by ${caller}, and only ${settings.kill ?? 'services'} may be killed`
}

/** The first life alone, in comparison with the undisturbed one. */
function firstLifeOf({ one, lives, undisturbed, folder }: LivesFacts): Facts {
  return {
    one,
    run: lives.first.run,
    observed: { ...lives.observed, requests: lives.first.requests },
    baseline: { ...undisturbed.observed, requests: undisturbed.first.requests },
    undisturbedOutput: undisturbed.first.run.output,
    paceMs: undefined,
    folder,
  }
}

/** Ordinals of calls go on over both lives, as the rules of scenarios count them. */
function lifeRow({ run, requests }: Lived, { observed }: TwoLives): LifeRow {
  const own = new Set(requests.map(({ id }) => id))
  return {
    exit: exitOf(run.exit),
    calls: callsOf(observed.requests)
      .filter(({ request }) => own.has(request.id))
      .map(({ operation, nth, request: { status, at } }) => ({ operation, nth, status, at })),
    log: lastLines(run.output),
  }
}

function exitOf(exit: Exit): number | string {
  switch (exit.kind) {
    case 'ended':
      return exit.code
    case 'signal':
      return exit.signal
    case 'threw':
      return exit.message
    case 'limit':
    case 'endless':
      return exit.kind
  }
}
