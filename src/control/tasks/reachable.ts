import { familyOf } from '../../families/index.ts'
import type { Status, Task } from '../../worlds/task.ts'

/** The states to which a task in a state can be forced: what the machine of its family allows. */
export function reachableFrom(task: Task, status: Status): Status[] {
  if (status !== 'queued' && status !== 'running') return []
  const { words, fromQueueOnly = [] } = familyOf(task.family)
  const known = Object.keys(words(task)) as Status[]
  return known.filter(
    next => next !== 'queued' && next !== status && !(status === 'running' && fromQueueOnly.includes(next)),
  )
}
