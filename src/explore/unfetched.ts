import type { RequestView, TaskView } from '../client/types.ts'
import type { Case } from './case.ts'
import { callsOf } from './plan.ts'
import type { Results } from './results.ts'
import type { Facts } from './verdict.ts'

/**
 * The evidence that a program gave up on a charged result that it could still fetch; undefined when it did
 * not. After a lasting failure, such as a withdrawn key, nothing can be fetched.
 */
export function unfetched({ one, observed, run }: Facts, now: Results, before: Results): string | undefined {
  if (now.paid.length === 0 || isComplete(now, before)) return undefined
  const lasting = [one, ...(one.and ? [one.and] : [])].some(({ failure }) => !failure.transient)
  if (lasting) return undefined
  const left = observed.tasks.filter(task => now.paid.includes(task.id) && !isFetched(task, now))
  const reachable = left.filter(task => isReachable(task, observed.requests, one))
  const [first] = reachable
  if (!first) return undefined
  const code = run.end.kind === 'ended' ? run.end.code : ''
  return `gave up with ${code} on ${first.id}, which was charged and could still be fetched (${one.failure.title})`
}

function isComplete(now: Results, before: Results): boolean {
  return now.fetched.length >= before.fetched.length && now.seen.length >= before.seen.length
}

function isFetched(task: TaskView, { fetched, seen }: Results): boolean {
  if (task.media.length === 0) return seen.includes(task.id)
  return fetched.some(path => path.includes(`/${task.id}/`))
}

/** Families with a list of tasks, in which a program can find a task whose id it does not know. */
const listed = ['a', 'b', 'c', 'special']

/** Whether the program knew the task's id or could find it. A program that gave up before a slow reply does not know it. */
function isReachable(task: TaskView, requests: readonly RequestView[], one: Case): boolean {
  const create = callsOf(requests).find(
    ({ request }) => request.task_id === task.id && request.request_id === task.request_id,
  )
  const isLate = one.failure.id === 'slow_answer' && create?.operation === one.operation
  if (create && create.request.reply_lost !== true && !isLate) return true
  return listed.includes(task.family) || 'external_id' in task
}
