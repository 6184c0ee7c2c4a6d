import type { Call } from '../pipeline/endpoint.ts'
import { findTask, pollPage, type SeenPage } from '../tasks/commands.ts'
import type { PageQuery } from '../worlds/owned-tasks.ts'
import type { Task } from '../worlds/task.ts'

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
