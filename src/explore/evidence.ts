import type { RequestView, TaskView } from '../client/types.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import { formatDuration } from '../worlds/clock.ts'
import type { Facts } from './verdict.ts'

/** What a program did until explore ended it: what it waited for, or which call it repeated. */
export function waitedFor({ observed, one, run }: Facts, limitMs: number): string {
  const { requests, tasks } = observed
  const last = requests.at(-1)
  const time = formatDuration(limitMs)
  if (!last) return `made no request in ${time}`
  if (isSilent(last))
    return last.operation === downloadOperation
      ? `waited for the rest of a file until it was ended after ${time}`
      : `waited for a reply to ${last.operation}, which never came, until it was ended after ${time}`
  const asked = requests.filter(request => request.operation === last.operation && request.path === last.path)
  const task = tasks.find(({ id }) => id === last.task_id)
  const after = task ? afterEnd(task, asked) : undefined
  if (task && after && after.count > 2)
    return `asked ${after.count} times in ${time} after the task had become ${after.status}`
  if (asked.length > 2)
    return `asked ${asked.length} times in ${time} with ${last.operation} while ${one.failure.id === 'task_stuck' ? 'the task never ended' : `the reply was ${last.status}`}`
  return `made no request after ${last.operation} -> ${last.status} until it was ended after ${formatDuration(Math.round(run.ms))}`
}

/** Whether the emulator keeps the answer open: all of it, or the rest of a file. */
export function isSilent({ connection, media }: RequestView): boolean {
  return /never answered/.test(connection ?? '') || /^stalled/.test(media ?? '')
}

/** The polls after a task's end, and the status with which it ended. */
function afterEnd(
  task: TaskView,
  asked: readonly RequestView[],
): { count: number; status: string } | undefined {
  const end = task.timeline.at(-1)
  if (!end || !('from' in end) || task.next_change_at !== null || isOpen(end.to)) return undefined
  const endedAt = Date.parse(end.at)
  return { count: asked.filter(({ at_ms }) => at_ms >= endedAt).length, status: String(end.to) }
}

/** Whether a status is a family's word for a task that has not ended. */
function isOpen(status: unknown): boolean {
  return /^(queued|pending|preparing|submitted|running|processing)$/i.test(String(status))
}
