import { factsOfFamily, makesTask } from '../../emulator/words.ts'
import type { RequestView, TaskView } from '../../kits/views.ts'
import { type Case, nameOfCall } from '../plan/case.ts'
import { answeredAfter } from '../plan/orders.ts'
import { noticeableMs } from '../plan/poll-pace.ts'
import { isOfOneTask, ruleNames, rulesByFailure, rulesOfFailures } from '../plan/scenario.ts'
import { counted, rounded } from './counted.ts'
import { createOf, hasResult, isAbout, isReadable, lackingIn, type Results } from './results.ts'
import type { Bill, Facts } from './verdicts.ts'

export interface Billed {
  bill: Bill
  /** About the money that was lost or paid again. */
  sentence?: string
  /**
   * Something was lost, and nothing that any program could still fetch: the replies of this operation, with the ids or links, did not come, or
   * came late, and the program had given up.
   */
  beyond?: { reply: 'lost' | 'late'; operation: string }
}

/** The bill of a run. `isOver` is false when the program might have gone on. */
export function billOf(
  facts: Facts,
  { now, before, isOver }: { now: Results; before: Results; isOver: boolean },
): Billed {
  const left = isOver ? lostTasks(facts, now, before) : []
  const lost = rounded(left.reduce((sum, task) => sum + settledFor(task), 0))
  const sums = { settled: rounded(now.settled), undisturbed: rounded(before.settled), lost }
  if (now.paid.length > before.paid.length && now.settled > before.settled)
    return {
      bill: { verdict: 'twice', ...sums },
      sentence: `${counted(now.paid.length, 'task')} ${now.paid.length === 1 ? 'was' : 'were'} paid for instead of ${before.paid.length}: ${counted(sums.settled, 'credit')} settled instead of ${counted(sums.undisturbed, 'credit')}`,
    }
  if (left.length > 0) {
    const { one, run } = facts
    const titles = [one, ...(one.and ? [one.and] : [])].map(({ failure }) => failure.title).join(', and ')
    const killed = run.system?.killed
    const happened = killed ? `${killed.name} is killed at ${nameOfCall(one)} and starts again` : titles
    const what = left.length === 1 ? `${left[0]?.id} was` : `${left.length} tasks were`
    const reachable = left.filter(task => isReachable(task, facts))
    const beyond = reachable.length > 0 ? undefined : beyondReach(left, facts)
    const could = `${reachable.length < left.length ? `, and ${reachable.length} of them` : ' and'} could still be fetched`
    const why = beyond ? `, and ${whyBeyond[beyond.reply]}` : could
    return {
      bill: { verdict: 'lost', ...sums },
      sentence: `${counted(lost, 'credit')} lost: ${what} charged${why} (${happened})`,
      ...(beyond && { beyond }),
    }
  }
  if (now.settled === 0) return { bill: { verdict: 'none', ...sums } }
  return { bill: { verdict: now.paid.length < before.paid.length ? 'less' : 'same', ...sums } }
}

/**
 * The charged tasks whose results the program does not have, those first that could still be fetched; at most as many as the undisturbed run
 * has more results. Results that a lasting failure withholds from everybody are none of them.
 */
function lostTasks(facts: Facts, now: Results, before: Results): TaskView[] {
  const { one, observed, baseline } = facts
  const fetches = before.fetched.length > 0
  const had = baseline.tasks.filter(task => hasResult(task, before, fetches)).length
  const has = observed.tasks.filter(task => hasResult(task, now, fetches)).length
  const lacking = Math.max(lackingIn(now, before), had - has)
  if (lacking === 0) return []
  const own = rulesByFailure(one).map(rules => rules.map(({ name }) => name))
  const failed = [one, ...(one.and ? [one.and] : [])].map((one, index) => ({ one, rules: own[index] ?? [] }))
  return observed.tasks
    .filter(task => now.paid.includes(task.id) && !hasResult(task, now, fetches))
    .filter(task => !failed.some(failed => isWithheld(task, failed, observed.requests)))
    .filter(task => !isBeingWaitedFor(task, facts))
    .sort((one, other) => Number(isReachable(other, facts)) - Number(isReachable(one, facts)))
    .slice(0, lacking)
}

/**
 * Whether a service was still at a task when explore ended it, because the driver was not content with another one: nothing had failed at
 * the task, its last reply about it could be read, and since then no more time had passed than it, or the undisturbed run, lets pass
 * between two calls. In real time the clock of the world stands still when nobody polls, so that the wall's is looked at.
 */
function isBeingWaitedFor(
  task: TaskView,
  { one, run: { system, exit }, observed, baseline }: Facts,
): boolean {
  if (!system || exit.kind !== 'ended' || exit.code === 0) return false
  const calls = callsAbout(task, observed.requests)
  const last = calls.at(-1)
  const failures = rulesOfFailures(one, () => true)
  const hasFailed = [task, ...calls].some(met => ruleNames(met).some(name => failures.includes(name)))
  if (!last || hasFailed || !isReadable(last) || system.ended.some(({ name }) => name === last.service))
    return false
  const all = [calls, ...baseline.tasks.map(one => callsAbout(one, baseline.requests))]
  const { driverEndedMs } = system
  return driverEndedMs === undefined
    ? observed.endedAt - last.at_ms <= longestPauseMs(all, 'at_ms')
    : driverEndedMs - last.started_ms <= longestPauseMs(all, 'started_ms') + noticeableMs
}

function callsAbout(task: TaskView, requests: readonly RequestView[]): RequestView[] {
  return requests.filter(request => isAbout(request, task.id))
}

function longestPauseMs(all: readonly RequestView[][], clock: 'at_ms' | 'started_ms'): number {
  const pauses = all.flatMap(calls =>
    calls.slice(1).map((one, index) => one[clock] - (calls[index]?.[clock] ?? 0)),
  )
  return Math.max(0, ...pauses)
}

/**
 * Whether a failure that lasts keeps the result of a task from everybody. A refused create does not touch tasks that were made before; a list
 * that is not found is so for all tasks.
 */
function isWithheld(
  task: TaskView,
  { one: { operation, failure, create }, rules }: { one: Omit<Case, 'and'>; rules: readonly string[] },
  requests: readonly RequestView[],
): boolean {
  const { id, kind, transient } = failure
  if (transient) return false
  if (kind === 'refusal' && !(create && isOfOneTask(failure)))
    return ['unauthenticated', 'no_access'].includes(id) || !makesTask(operation)
  const isMet = (what: RequestView | TaskView) => ruleNames(what).some(name => rules.includes(name))
  if (isMet(task) || (kind === 'media' && !create)) return true
  return requests.some(
    request => request.operation === operation && isMet(request) && isAbout(request, task.id),
  )
}

/** Whether the program knew the task's id or could find it. A program that asks nothing after a slow reply may have given up before it. */
function isReachable(task: TaskView, { observed, one }: Facts): boolean {
  const { requests } = observed
  const create = createOf(task, requests)
  if (factsOfFamily(task.family)?.findsBy === 'list' || 'external_id' in task) return true
  if (requests.some(later => later !== create && isAbout(later, task.id))) return true
  return create !== undefined && isReadable(create) && !isLate(create, one)
}

/** Whether the reply to a call came late, by the failure or the second one of a pair. */
function isLate(call: RequestView, one: Case): boolean {
  const late = rulesOfFailures(one, ({ id }) => id === 'slow_answer' || id === answeredAfter)
  return ruleNames(call).some(name => late.includes(name))
}

function beyondReach(
  tasks: readonly TaskView[],
  { observed: { requests }, one }: Facts,
): NonNullable<Billed['beyond']> {
  const creates = tasks.map(task => createOf(task, requests))
  const lost = creates.filter(create => !create || !isLate(create, one))
  const [first] = lost.length === 0 ? creates : lost
  return { reply: lost.length === 0 ? 'late' : 'lost', operation: first?.operation ?? one.operation }
}

const whyBeyond = {
  late: 'the program asked nothing more after the late reply with its id or link',
  lost: 'nobody can fetch what it made, because the reply with its id or link was lost',
} as const

export function settledFor({ charges }: TaskView): number {
  return charges.reduce((sum, { kind, amount }) => sum + (kind === 'settled' ? amount : 0), 0)
}
