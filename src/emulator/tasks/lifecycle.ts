import type { Status, Task, TaskError, View } from '../worlds/task.ts'

/** A change of status at a virtual moment. */
export interface Transition {
  at: number
  from: Status
  to: Status
}

/** One entry of a task's time line: a change of status, or the removal or loss of its record. */
export interface Change extends Omit<Transition, 'to'> {
  to: Status | 'deleted'
}

interface Ending {
  at: number
  status: Status
  error?: TaskError
  /** True when a caller ended it, false when time ended it. */
  byFact?: true
}

type Lived = Pick<Task, 'createdAt' | 'plan' | 'facts'>

/** The state of a task at `now` (virtual ms): a pure function of plan, facts and time. */
export function viewAt(task: Lived, now: number): View {
  const ending = endingOf(task)
  const startsAt = startOf(task)
  const deletedAt = deletionOf(task) ?? goneAt(task)
  const view: View =
    ending && now >= ending.at
      ? { status: ending.status, since: ending.at, ...(ending.error && { error: ending.error }) }
      : now >= startsAt
        ? { status: 'running', since: startsAt }
        : { status: 'queued', since: task.createdAt }
  if (deletedAt !== undefined && now >= deletedAt) view.deletedAt = deletedAt
  return view
}

/** Every change of status from creation to end, in order, whether past or to come. */
export function transitions(task: Lived): Transition[] {
  const ending = endingOf(task)
  const startsAt = startOf(task)
  const list: Transition[] = []
  // A task that a caller started and ended in one moment did run; a task with a planned length of zero did not.
  const didRun = !ending || startsAt < ending.at || (ending.byFact === true && startsAt === ending.at)
  if (didRun) list.push({ at: startsAt, from: 'queued', to: 'running' })
  if (ending) list.push({ at: ending.at, from: list.length > 0 ? 'running' : 'queued', to: ending.status })
  return list
}

/**
 * The whole time line of a task, past and future, in order: every transition until its record is removed, and the removal. When
 * the plan loses the record (`gone`), the work continues: later transitions are in the list too.
 * Events, stories, time lines and the replies of the clock endpoints are made from this list.
 */
export function changesOf(task: Lived): Change[] {
  const changes = transitions(task)
  const removedAt = deletionOf(task) ?? goneAt(task)
  if (removedAt === undefined) return changes
  const { status } = viewAt(task, removedAt)
  const before = changes.filter(({ at }) => at <= removedAt)
  const after = deletionOf(task) === undefined ? changes.slice(before.length) : []
  return [...before, { at: removedAt, from: status, to: 'deleted' }, ...after]
}

/** The part of a task's time line after `from` up to and including `to`, virtual ms. */
export function changesBetween(task: Lived, from: number, to: number): Change[] {
  return changesOf(task).filter(({ at }) => at > from && at <= to)
}

/**
 * The moment when the plan loses the record (`gone`), virtual ms; undefined when the plan does not lose it, the task ended before
 * it started, or a caller removed the record earlier.
 */
export function goneAt(task: Lived): number | undefined {
  if (task.plan.goneAt === undefined || deletionOf(task) !== undefined) return undefined
  const ending = endingOf(task)
  return !ending || startOf(task) < ending.at ? task.plan.goneAt : undefined
}

/** Whether the plan has lost the record by `now`. */
export function isGone(task: Lived, now: number): boolean {
  return task.plan.goneAt !== undefined && now >= (goneAt(task) ?? Number.POSITIVE_INFINITY)
}

/** The moment of the next change after `now`; undefined when there is no later change. */
export function nextChange(task: Lived, now: number): number | undefined {
  return changesOf(task).find(change => change.at > now)?.at
}

/** True when the task will never change by itself again. */
export function isOver(task: Lived, now: number): boolean {
  const ending = endingOf(task)
  return ending !== undefined && now >= Math.max(ending.at, goneAt(task) ?? 0)
}

/** When and how the task ends; undefined while no end is planned (`never` without expiry). */
function endingOf({ plan, facts }: Lived): Ending | undefined {
  for (const fact of facts) {
    if (fact.kind === 'cancelled') return { at: fact.at, status: 'cancelled', byFact: true }
    if (fact.kind === 'forced' && fact.status !== 'running') {
      return { at: fact.at, status: fact.status, byFact: true, ...(fact.error && { error: fact.error }) }
    }
  }
  const { outcome, endsAt, expiresAt } = plan
  // Spec, family A: "a task unfinished by then becomes expired".
  if (expiresAt !== undefined && (outcome.kind === 'never' || endsAt > expiresAt)) {
    return { at: expiresAt, status: 'expired' }
  }
  switch (outcome.kind) {
    case 'never':
      return undefined
    case 'failed':
      return { at: endsAt, status: 'failed', error: { code: outcome.code, message: outcome.message } }
    case 'succeeded':
    case 'cancelled':
      return { at: endsAt, status: outcome.kind }
  }
}

/** When a caller removed the record. */
function deletionOf({ facts }: Lived): number | undefined {
  return facts.find(fact => fact.kind === 'deleted')?.at
}

function startOf({ plan, facts }: Lived): number {
  // Only a queued task can be forced to run, so that moment is before the planned one.
  return facts.find(fact => fact.kind === 'forced' && fact.status === 'running')?.at ?? plan.startsAt
}
