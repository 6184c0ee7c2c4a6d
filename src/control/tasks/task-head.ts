import type { TaskHead } from '../../client/types.ts'
import { familyOf } from '../../families/index.ts'
import type { Task, View } from '../../worlds/task.ts'

/** What every view of a task begins with. */
export function taskHead(task: Task, { status }: Pick<View, 'status'>): TaskHead {
  const { id, family, kind, account, model } = task
  return { id, family, kind, account, model, status: familyOf(family).words(task)[status] ?? status }
}
