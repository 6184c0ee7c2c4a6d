import { invalid } from '../../faults/fault.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import type { Seen } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { shown } from '../../wording/shown.ts'
import type { PageQuery } from '../../worlds/owned-tasks.ts'
import type { Task } from '../../worlds/task.ts'
import { isOfModel } from '../models.ts'
import { taskPage } from '../own-task.ts'
import { momentsOf, readTime, wordOf } from './present.ts'
import type { ListQuery } from './schema.ts'

/** How long a task can be found after its creation (B-validity). */
const validityMs = 24 * 3_600_000

/** Creation time of the oldest task that can still be found, virtual ms. A task is gone at the end of its 24th hour. */
export function oldestAt(now: number): number {
  return now - validityMs + 1
}

/** The list as upstream has it (B-list): one page of the account's tasks, newest first, in a window of at most a day. */
export function listReply(call: Call) {
  const query = call.query as ListQuery
  const { page_no, page_size } = query
  const { page, total } = taskPage(call, 'b', now => queryAt({ ...call, now }, query))
  return {
    total,
    data: page.map(item),
    total_page: Math.ceil(total / page_size),
    page_no,
    page_size,
    request_id: call.requestId,
  }
}

function queryAt(call: Call, query: ListQuery): PageQuery {
  const { page_no, page_size, task_id, model_name, status } = query
  const { from, to } = windowOf(query, call.now)
  const fits = (task: Task) =>
    task.createdAt <= to &&
    (task_id === undefined || task.id === task_id) &&
    (model_name === undefined || isOfModel(call, task, model_name)) &&
    (status === undefined || wordOf(viewAt(task, call.now).status) === status)
  const isFiltered = to < call.now || (task_id ?? model_name ?? status) !== undefined
  return {
    since: Math.max(from, oldestAt(call.now)),
    skip: (page_no - 1) * page_size,
    count: page_size,
    fits: isFiltered ? fits : undefined,
  }
}

/** With only a start or only an end given, the window is the day after or before it. */
function windowOf({ start_time, end_time }: ListQuery, now: number): { from: number; to: number } {
  const start = start_time === undefined ? undefined : momentOf('start_time', start_time)
  const end = end_time === undefined ? undefined : momentOf('end_time', end_time)
  const to = end ?? (start === undefined ? now : start + validityMs)
  const from = start ?? to - validityMs
  if (to < from) throw invalid('end_time', `${end_time} is before start_time ${start_time}`)
  if (to - from > validityMs) throw invalid('end_time', 'must be at most 24 hours after start_time')
  return { from, to }
}

function momentOf(param: string, text: string): number {
  const moment = readTime(text)
  if (moment === undefined) throw invalid(param, `${shown(text)} is not a moment of the form YYYYMMDDhhmmss`)
  return moment
}

function item({ task, view }: Seen) {
  const { startedAt, endedAt } = momentsOf(task, view)
  return {
    api_key_id: task.account,
    caller_parent_id: task.account,
    caller_uid: task.account,
    gmt_create: task.createdAt,
    ...(startedAt !== undefined && { start_time: startedAt }),
    ...(endedAt !== undefined && { end_time: endedAt }),
    region: 'cn-beijing',
    request_id: task.requestId,
    status: wordOf(view.status),
    task_id: task.id,
    user_api_unique_key: `apikey:v1:aigc:video-generation:video-synthesis:${task.model}`,
    model_name: task.model,
  }
}
