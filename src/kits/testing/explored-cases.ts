import { formatDuration } from '../../emulator/words.ts'
import {
  type Case,
  type ComparedCase,
  causeText,
  type Exploration,
  type Explored,
  type ExploreOptions,
  functionExploration,
  isSameCall,
  knownReason,
  mostLimits,
  nameOfCase,
  nameOfRow,
  playTwice,
  prepare,
  type Ready,
  type Repeated,
  type Row,
  timed,
  withoutExplained,
} from '../../explore/explore.ts'
import { createGate } from '../../media/index.ts'
import { kitEmulator } from './kit-emulator.ts'

/** Options of `exploreTests`: those of `emulator.explore`, with other defaults, and the address of a running emulator. */
export type ExploreTestOptions = Omit<ExploreOptions, 'jobs' | 'budget'> & {
  /** Explores at this emulator and does not start one. */
  url?: string | undefined
  /**
   * How many tests run at a time, 1 to 64; default 1. Under Playwright more than 1 lets the workers share the tests, and its
   * own option `workers` is the limit. Under vitest no more run at a time than its option `maxConcurrency` (5) allows.
   */
  jobs?: number | undefined
  /** No test starts this much wall time after the first one; later tests are skipped with this reason. Default 10 min. */
  budget?: string | number | undefined
}

/** One case as a test. */
export interface ExploredCase {
  /** `a.create#1 reply_lost: the request is handled, and the connection breaks before the reply`. */
  title: string
  /** Runs the case. Rejects with evidence and story when it fails. */
  play(): Promise<Outcome>
}

/** What a test does with a case that does not fail. */
export interface Outcome {
  /** Why it was not tried: the test is skipped. */
  skipped?: string
  /** What the program did wrong without failing: printed under the test. */
  warning?: string
}

/** The cases of a function, a command or a system. */
export interface ExploredCases {
  cases: ExploredCase[]
  /** How many tests run at a time. */
  jobs: number
  /** The longest that one test may take, wall milliseconds, with the wait for its turn and a second play. */
  timeoutMs: number
  /** Stops the emulator that the tests share. */
  close(): Promise<void>
}

/** A case takes at most this many times the limit: a problem is played twice, and each of these may be two runs, with a wait for files between. */
const mostOfCase = 2 * (2 * mostLimits + 1)

/**
 * Runs it undisturbed. Returns a test for each possible failure, and one that is skipped for each group of calls that
 * are not tried. Rejects when the undisturbed run fails.
 */
export async function exploredCases(
  explored: Explored,
  { url, ...options }: ExploreTestOptions = {},
): Promise<ExploredCases> {
  const asked = { ...options, jobs: options.jobs ?? 1 }
  const first = await opened(explored, { url, ...asked })
  const { settings, system } = first.exploration
  // A test file may be loaded without running its tests, so nothing may stay open.
  const ready = await prepare(first.exploration).finally(first.close)
  const { limitMs, jobs = 1, budgetMs } = settings
  let again: Promise<Opened> | undefined
  let startedMs: number | undefined
  /** The rows of this process up to now: single failures come before pairs. */
  const rows: Row[] = []
  const gate = createGate(jobs)
  const play = (one: Case) =>
    gate.run(async () => {
      startedMs ??= performance.now()
      const since = startedMs
      const whyLeft = () =>
        performance.now() - since > budgetMs
          ? `the budget of ${formatDuration(budgetMs)} had passed`
          : undefined
      const reason = whyLeft()
      if (reason !== undefined) return { skipped: `not tried: ${reason}` }
      again ??= opened(explored, { url, ...asked, now: settings.now })
      const { exploration } = await again
      const { baseline, time } = ready
      return tryCase(timed(exploration, time.used), { one, baseline, whyLeft }, rows)
    })
  const played = ready.cases.map(one => ({
    title: `${nameOfCase(one)}: ${one.failure.title}`,
    play: () => play(one),
  }))
  // The check of a system may take as long as its driver, and what prepares it as long as an undisturbed run.
  const caseMs = mostOfCase * limitMs * (system?.check ? 2 : 1) + 10_000
  const prepareMs = system?.prepare ? 3 * limitMs : 0
  return {
    cases: [...played, ...leftOut(ready)],
    jobs,
    timeoutMs: caseMs * Math.ceil(played.length / jobs) + prepareMs,
    async close() {
      const last = again
      again = undefined
      // The tests have failed with its error.
      await (await last?.catch(() => undefined))?.close()
    },
  }
}

/** An exploration at an emulator that the tests share. */
interface Opened {
  exploration: Exploration
  close(): Promise<void>
}

async function opened(explored: Explored, { url, ...options }: ExploreTestOptions): Promise<Opened> {
  const emulator = await kitEmulator({ url })
  try {
    const exploration = await functionExploration(emulator, explored, options)
    return {
      exploration,
      async close() {
        await exploration.states?.end?.()
        await emulator.close()
      },
    }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

/** Plays a case. Throws when it fails, but for a pair that one of its failures alone explains. */
async function tryCase(exploration: Exploration, given: ComparedCase, rows: Row[]): Promise<Outcome> {
  const { row, missed } = await playTwice(exploration, given)
  if (row) rows.push(row)
  if (row && withoutExplained(rows).explained.includes(row))
    return { skipped: 'left out: one of the two failures alone has the same cause' }
  return {
    ...(row && checkRow(row, exploration.settings)),
    ...(missed && { skipped: `not tried: ${missed.reason}` }),
  }
}

/**
 * Calls of the chosen cases that repeat others. These titles hold no number of calls, since the number of polls varies. The titles
 * of the cases of the last poll do hold its number.
 */
function leftOut({ cases, repeated, untimed }: Ready): ExploredCase[] {
  const isChosen = ({ first }: Repeated) => cases.some(one => isSameCall(one, first))
  const later = repeated.filter(isChosen).map(({ what, reason, first }) => ({
    title: `later calls of ${first.operation}: ${reason}`,
    play: async () => ({ skipped: `not tried: ${what} ${reason}` }),
  }))
  const slow = untimed.map(({ what, reason }) => ({
    title: what,
    play: async () => ({ skipped: `not tried: ${reason}` }),
  }))
  return [...later, ...slow]
}

/** The warning of a case that does not fail, or why it was not played. Throws for a problem that was not accepted, and for a warning where warnings fail, too. */
function checkRow(row: Row, { accept, failOn }: Exploration['settings']): Outcome {
  const known = knownReason(row, accept)
  if (row.level === 'good' || known !== undefined) return {}
  if (row.verdict === 'not_reached' && failOn === 'problems')
    return { skipped: `not reached: ${row.evidence}` }
  if (row.level === 'warning' && failOn === 'problems')
    return { warning: `${nameOfRow(row)}: ${row.verdict}: ${row.evidence}` }
  const parts = [
    `${row.verdict}: ${row.evidence}`,
    ...(row.cause ? [`Cause: ${causeText(row.cause)}`] : []),
    ...(row.stories ?? []),
    `Requests:\n${(row.requests ?? []).join('\n')}`,
    ...(row.log === '' ? [] : [row.log]),
  ]
  throw new Error(parts.join('\n\n'))
}
