import type { Call } from '../http/endpoint.ts'
import { find } from '../tasks/commands.ts'
import type { Task } from '../tasks/task.ts'

/** Which task of a family is meant. */
export interface Sought {
  family: string
  id: string
  /** The family finds no task that is older than this, virtual ms. */
  since: number
}

/** The caller's own task; undefined when there is none, when it is another account's, or when it is too old. */
export function ownTask({ world, account }: Call, { family, id, since }: Sought): Task | undefined {
  const task = find(world, id, { family, account: account.id })
  return task && task.createdAt >= since ? task : undefined
}

/** The caller's own task that the path names as `task_id`. The journal entry of the call names it too. */
export function taskInPath(call: Call, { family, since }: Omit<Sought, 'id'>): Task | undefined {
  const task = ownTask(call, { family, since, id: call.params.task_id ?? '' })
  if (task) call.trace.taskIds = [task.id]
  return task
}
