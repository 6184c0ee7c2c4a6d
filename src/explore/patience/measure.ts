import type { TaskView } from '../../kits/views.ts'
import { hasResult, lackingIn, type Results, resultsOf } from '../judge/results.ts'
import type { Baseline, TimeUsed } from '../play/baseline.ts'
import type { Exploration } from '../play/settings.ts'
import { type Done, eachInTurn, type Order, runOnce } from '../run/world-run.ts'
import {
  type Calls,
  callsFor,
  firstCalls,
  type LengthName,
  lengths,
  longestMs,
  type Mishap,
  mishapScenario,
  mishaps,
  scenarioFor,
  silentScenario,
  without,
} from './figures.ts'
import { type Halved, halve, type Shown } from './halving.ts'
import { needResults } from './needs.ts'
import {
  type AnswerFigure,
  type JobsFact,
  jobsText,
  lengthText,
  type Patience,
  type PatienceFigure,
  rateText,
  silenceText,
} from './patience.ts'

const seconds = [1, 5, 20, 60, 300, 1200, 3600, 14_400, 86_400]
/** The longest time for which a scenario can hold an answer back. */
const longestAnswerMs = 30_000
const mostPerMinute = 120

interface Measuring {
  exploration: Exploration
  baseline: Baseline
  calls: Calls
  before: Results
}

/** Measures a program: each figure by about ten runs, in its own time. Without virtual time it says which figures it cannot measure. */
export async function measurePatience(
  exploration: Exploration,
  { baseline, time, jobs }: { baseline: Baseline; time: TimeUsed; jobs: number },
): Promise<Patience> {
  const { settings } = exploration
  const calls = callsFor(baseline.calls)
  const measuring: Measuring = { exploration, baseline, calls, before: resultsOf(baseline.observed) }
  const isTimed = time.used === 'virtual' || settings.clock === 'manual'
  const notMeasured: Patience['not_measured'] = []
  const isWanted = (what: string) =>
    settings.patience === 'all' ||
    settings.needs.some(({ name }) => what === name || what.startsWith(`${name}.`))
  const skipped = (what: string, reason: string | undefined): boolean => {
    if (!isWanted(what)) return true
    const why = settings.signal.aborted
      ? 'interrupted'
      : (reason ?? (isTimed ? undefined : 'only virtual time shows it'))
    if (why !== undefined) notMeasured.push({ what, reason: why })
    return why !== undefined
  }
  const figures = new Map<string, AnswerFigure>()
  const facts: JobsFact[] = []
  const tasks = baseline.observed.tasks.length
  const single = tasks < 2 ? 'the program makes one task' : undefined
  const work = [
    ...lengths.map(name => async () => {
      if (!skipped(name, without(name, calls))) figures.set(name, await lengthOf(name, measuring))
    }),
    async () => {
      if (!skipped('rate', single)) figures.set('rate', await rateOf(tasks, measuring))
    },
    ...mishaps.map(mishap => async () => {
      const fact =
        single === undefined && settings.patience === 'all' && !settings.signal.aborted
          ? await factOf(mishap, measuring)
          : undefined
      if (fact) facts.push(fact)
    }),
  ]
  await eachInTurn(work, jobs, one => one())
  const figure = (name: string) => figures.get(name) ?? null
  const patience = {
    outage: { polls: figure('outage.polls'), downloads: figure('outage.downloads') },
    queue: figure('queue'),
    answer: figure('answer'),
    rate: figure('rate'),
    jobs: mishaps.flatMap(mishap => facts.find(fact => fact.mishap === mishap) ?? []),
    not_measured: notMeasured,
  }
  return { ...patience, needs: needResults(settings.needs, patience) }
}

async function lengthOf(name: LengthName, measuring: Measuring): Promise<AnswerFigure> {
  const halved = await halve({
    ladder: ladderOf(name),
    round: roundMs,
    async probe(length) {
      const done = await played(measuring, `patience ${name} ${length}ms`, {
        scenarios: [scenarioFor(name, length, measuring.calls)],
      })
      return name === 'answer' &&
        done.observed.requests.some(({ connection, reply_lost }) => connection && reply_lost)
        ? { shown: 'failed', why: 'it gave the answer up' }
        : shownBy(done, measuring)
    },
  })
  const text = lengthText(name, halved)
  if (name !== 'answer' || halved.survived === null || halved.failed !== null) return { ...halved, text }
  const givesUpAfter = await givenUpAfter(measuring)
  return givesUpAfter === undefined
    ? { ...halved, text }
    : { ...halved, gives_up_after: givesUpAfter, text: silenceText(text, givesUpAfter) }
}

/** When the program gives up an answer that never comes, ms; null: not within a day; undefined when no run showed it. */
async function givenUpAfter(measuring: Measuring): Promise<number | null | undefined> {
  const waits: number[] = []
  for (const call of firstCalls(measuring.calls)) {
    const name = `patience silent ${call.operation}`
    const { run, trace } = await played(measuring, name, { scenarios: [silentScenario(call)] })
    const held = trace.attempts.flatMap(({ calls }) => calls).find(({ rule }) => rule === 'patience/1')
    if (run.exit.kind === 'limit' || run.exit.kind === 'signal' || !held?.ended_at) return undefined
    waits.push(Date.parse(held.ended_at) - Date.parse(held.at))
  }
  const least = Math.min(...waits)
  return least >= longestMs ? null : least
}

/** Up to a day; a scenario can hold an answer back for half a minute at most. */
function ladderOf(name: LengthName): number[] {
  const all = seconds.map(length => length * 1000)
  return name === 'answer' ? [...all.filter(length => length < longestAnswerMs), longestAnswerMs] : all
}

/** Whole seconds, with two digits that count. */
function roundMs(ms: number): number {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const step = seconds < 20 ? 1 : seconds < 120 ? 5 : seconds < 1200 ? 60 : seconds < 7200 ? 300 : 1800
  return Math.max(1, Math.round(seconds / step)) * step * 1000
}

/** Rates are tried from the highest down, so a lower one is a longer test. */
async function rateOf(tasks: number, measuring: Measuring): Promise<PatienceFigure> {
  const rateFor = (length: number) => Math.max(1, Math.floor(mostPerMinute / length))
  const found = await halve({
    ladder: [1, 4, 15, mostPerMinute],
    round: length => mostPerMinute / rateFor(length),
    async probe(length) {
      const rate = rateFor(length)
      const done = await played(measuring, `patience rate ${rate}`, {
        before: world => world.accounts.change('default', { requests_per_minute: rate }),
      })
      return shownBy(done, measuring)
    },
  })
  const rateOrNull = (length: number | null) => (length === null ? null : rateFor(length))
  const halved: Halved = {
    ...found,
    survived: rateOrNull(found.survived),
    failed: rateOrNull(found.failed),
    tried: found.tried.map(one => ({ ...one, length: rateFor(one.length) })),
  }
  return { ...halved, text: rateText(tasks, halved) }
}

async function factOf(mishap: Mishap, measuring: Measuring): Promise<JobsFact | undefined> {
  const scenario = mishapScenario(mishap, measuring.calls)
  if (!scenario) return undefined
  const { observed } = await played(measuring, `patience ${mishap}`, { scenarios: [scenario] })
  const others = measuring.before.paid.length - 1
  const hit = [...observed.tasks, ...observed.requests].find(one => one.rule !== undefined)
  const struck = hit && ('task_id' in hit ? hit.task_id : 'timeline' in hit ? hit.id : undefined)
  const results = resultsOf(observed)
  const has = (task: TaskView) => hasResult(task, results, measuring.before.fetched.length > 0)
  const delivered = Math.min(others, observed.tasks.filter(task => task.id !== struck && has(task)).length)
  return { mishap, others, delivered, text: jobsText(mishap, { others, delivered }) }
}

function played(
  { exploration, baseline }: Measuring,
  name: string,
  order: Pick<Order, 'scenarios' | 'before'>,
): Promise<Done> {
  const { limitMs } = exploration.settings
  return runOnce(exploration, {
    name,
    limitMs,
    ...order,
    scenarios: [...(order.scenarios ?? []), ...baseline.active],
  })
}

/** Survived: it ended with 0, with all its results, and no more was settled than undisturbed. */
function shownBy({ run: { exit }, observed }: Done, { before }: Measuring): { shown: Shown; why: string } {
  if (exit.kind === 'limit') return { shown: 'nothing', why: 'it had not ended at the limit' }
  if (exit.kind === 'signal') return { shown: 'nothing', why: `it was ended by ${exit.signal}` }
  if (exit.kind === 'endless') return { shown: 'failed', why: 'it never ends' }
  const failed =
    exit.kind === 'threw' ? 'it threw an error' : exit.code === 0 ? undefined : `it ended with ${exit.code}`
  if (failed !== undefined) return { shown: 'failed', why: failed }
  const now = resultsOf(observed)
  if (lackingIn(now, before) > 0) return { shown: 'failed', why: 'it ended with 0, without all its results' }
  return now.settled > before.settled
    ? { shown: 'failed', why: 'it paid more than undisturbed' }
    : { shown: 'survived', why: 'it has all its results' }
}
