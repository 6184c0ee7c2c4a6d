import type { Call } from '../pipeline/endpoint.ts'
import { findTask, pollPage, type SeenPage } from '../tasks/commands.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import type { PageQuery } from '../worlds/owned-tasks.ts'
import type { Task } from '../worlds/task.ts'
import type { Family } from './family.ts'

/** The task to find. */
export interface TaskQuery {
  family: string
  id: string
  /** Tasks created before this moment are not found; virtual ms. */
  since: number
}

/** The caller's own task. Undefined when it is missing, of another account, or too old. */
export function ownTask({ world, account }: Call, { family, id, since }: TaskQuery): Task | undefined {
  const task = findTask(world, id, { family, account: account.id })
  return task && task.createdAt >= since ? task : undefined
}

/** The caller's own task with the `task_id` of the path. The call's journal entry names it too. */
export function taskInPath(call: Call, { family, since }: Omit<TaskQuery, 'id'>): Task | undefined {
  const task = ownTask(call, { family, since, id: call.params.task_id ?? '' })
  if (task) call.trace.taskIds = [task.id]
  return task
}

/** A page of the caller's tasks as a poll sees them. The call's journal entry names the tasks on the page. */
export function taskPage(call: Call, family: string, queryAt: (now: number) => PageQuery): SeenPage {
  const seen = pollPage(call.world, { family, account: call.account.id }, queryAt)
  call.trace.taskIds = seen.page.map(({ task }) => task.id)
  return seen
}

/** How long A and C find a task after its creation (Spec, "Limits": family C query window; A as upstream). */
export const weekMs = 7 * 86_400_000

/** The parameters that the lists of A and C have in common. */
interface WeekQuery {
  page_num: number
  page_size: number
  'filter.status'?: string
  'filter.task_ids'?: readonly string[]
  'filter.model'?: string
}

type Filter = (task: Task, now: number) => boolean

/** A page of the caller's tasks of the last week that pass the query's filters and the family's `own`. */
export function weekPage(
  call: Call,
  family: Pick<Family, 'id' | 'words'>,
  { page_num, page_size, ...query }: WeekQuery,
  own: readonly (Filter | undefined)[],
): SeenPage {
  const { 'filter.status': status, 'filter.task_ids': ids, 'filter.model': model } = query
  const named = ids && new Set(ids)
  const all: readonly (Filter | undefined)[] = [
    named && (task => named.has(task.id)),
    model === undefined ? undefined : task => task.model === model,
    ...own,
    status === undefined ? undefined : (task, now) => family.words(task)[viewAt(task, now).status] === status,
  ]
  const filters = all.filter(filter => filter !== undefined)
  return taskPage(call, family.id, now => ({
    since: now - weekMs,
    skip: (page_num - 1) * page_size,
    count: page_size,
    fits: filters.length > 0 ? task => filters.every(passes => passes(task, now)) : undefined,
  }))
}
