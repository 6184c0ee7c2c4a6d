import type { RequestView, TaskView } from '../../client/types.ts'
import { makesTask } from '../../scenarios/operations.ts'
import type { Case } from '../plan/case.ts'
import { isOfOneTask } from '../plan/scenario.ts'
import { counted, rounded } from './counted.ts'
import type { Facts } from './facts.ts'
import { concerns, createOf, hasResult, isReadable, lackingIn, type Results } from './results.ts'
import type { Bill } from './verdicts.ts'

/** The bill of a run, and a sentence about it when money was lost. `isOver` is false when the program might have gone on. */
export function billOf(
  facts: Facts,
  { now, before, isOver }: { now: Results; before: Results; isOver: boolean },
): {
  bill: Bill
  sentence?: string
} {
  const left = isOver ? lostTasks(facts, now, before) : []
  const lost = rounded(left.reduce((sum, task) => sum + settledFor(task), 0))
  const sums = { settled: rounded(now.settled), undisturbed: rounded(before.settled), lost }
  if (now.paid.length > before.paid.length && now.settled > before.settled)
    return {
      bill: { verdict: 'twice', ...sums },
      sentence: `${counted(now.paid.length, 'task')} ${now.paid.length === 1 ? 'was' : 'were'} paid for instead of ${before.paid.length}: ${counted(sums.settled, 'credit')} settled instead of ${counted(sums.undisturbed, 'credit')}`,
    }
  if (left.length > 0) {
    const { failure, and } = facts.one
    const titles = [failure.title, ...(and ? [and.failure.title] : [])].join(', and ')
    const what = left.length === 1 ? `${left[0]?.id} was` : `${left.length} tasks were`
    return {
      bill: { verdict: 'lost', ...sums },
      sentence: `${counted(lost, 'credit')} lost: ${what} charged and could still be fetched (${titles})`,
    }
  }
  if (now.settled === 0) return { bill: { verdict: 'none', ...sums } }
  return { bill: { verdict: now.paid.length < before.paid.length ? 'less' : 'same', ...sums } }
}

/** The charged tasks whose results could still be fetched and were not; at most as many as the undisturbed run has more results. */
function lostTasks({ one, observed }: Facts, now: Results, before: Results): TaskView[] {
  const lacking = lackingIn(now, before)
  if (lacking === 0) return []
  const fetches = before.fetched.length > 0
  const failed = [one, ...(one.and ? [one.and] : [])]
  return observed.tasks
    .filter(task => now.paid.includes(task.id) && !hasResult(task, now, fetches))
    .filter(task => isReachable(task, observed.requests, one))
    .filter(task => !failed.some(one => isWithheld(task, one, observed.requests)))
    .slice(0, lacking)
}

/**
 * Whether a failure that lasts keeps the result of a task from everybody. A refused create does not touch tasks that were made before; a list
 * that is not found is so for all tasks.
 */
function isWithheld(
  task: TaskView,
  { operation, failure, create }: Omit<Case, 'and'>,
  requests: readonly RequestView[],
): boolean {
  const { id, kind, transient } = failure
  if (transient) return false
  if (kind === 'refusal' && !(create && isOfOneTask(failure)))
    return id === 'unauthenticated' || !makesTask(operation)
  if (task.rule !== undefined || (kind === 'media' && !create)) return true
  return requests.some(
    request =>
      (request.rule !== undefined || request.media !== undefined) &&
      (concerns(request, task.id) || request.path.includes(task.id)),
  )
}

/** Families with a list of tasks, in which a program can find a task whose id it does not know. The list of family B is beyond the specification. */
export const listedFamilies: readonly string[] = ['a', 'c', 'special']

/** Whether the program knew the task's id or could find it. A program that gave up before a slow reply does not know it. */
function isReachable(task: TaskView, requests: readonly RequestView[], one: Case): boolean {
  const create = createOf(task, requests)
  const isLate = one.failure.id === 'slow_answer' && create?.operation === one.operation
  if (create && isReadable(create) && !isLate) return true
  return listedFamilies.includes(task.family) || 'external_id' in task
}

/** What was settled for a task, in credits. */
export function settledFor({ charges }: TaskView): number {
  return charges.reduce((sum, { kind, amount }) => sum + (kind === 'settled' ? amount : 0), 0)
}
