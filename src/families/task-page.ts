import type { Call } from '../pipeline/endpoint.ts'
import { pollPage, type SeenPage } from '../tasks/commands.ts'
import type { PageQuery } from '../worlds/owned-tasks.ts'

/** A page of the caller's tasks as a poll sees them. The call's journal entry names the tasks on the page. */
export function taskPage(call: Call, family: string, queryAt: (now: number) => PageQuery): SeenPage {
  const seen = pollPage(call.world, { family, account: call.account.id }, queryAt)
  call.trace.taskIds = seen.page.map(({ task }) => task.id)
  return seen
}
