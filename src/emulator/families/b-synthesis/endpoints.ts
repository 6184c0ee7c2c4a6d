import { FaultError, invalid } from '../../faults/fault.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import { cancel as cancelTask, pollOne, type Seen } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { shown } from '../../wording/shown.ts'
import type { PageQuery } from '../../worlds/owned-tasks.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { isOfModel } from '../models.ts'
import { replyToCreate } from '../order.ts'
import { taskInPath, taskPage } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { readContent } from './content.ts'
import { createTask, runsMs } from './create.ts'
import { jobSchema, videoOf } from './job.ts'
import { facts, models } from './models.ts'
import {
  dialect,
  failureOf,
  momentsOf,
  queryReply as present,
  readTime,
  unknownReply,
  wordOf,
} from './present.ts'
import {
  type CreateBody,
  cancelReply,
  createBody,
  createHeaders,
  createReply,
  type ListQuery,
  listQuery,
  listReply,
  queryReply,
} from './schema.ts'

const tasksPath = '/api/v1/tasks'

const create: Endpoint = {
  operation: 'b.create',
  method: 'POST',
  paths: ['/api/v1/services/aigc/video-generation/video-synthesis'],
  summary: 'Create a video task',
  headers: createHeaders,
  body: createBody,
  reads: {
    prompts: ['/input/prompt'],
    model: body => (body as { model?: unknown } | undefined)?.model,
    models: Object.keys(models),
    mode: modeOf,
  },
  replies: { 200: createReply },
  handle: call => replyToCreate(call, createTask, task => created(call, task)),
}

const get: Endpoint = {
  operation: 'b.get',
  method: 'GET',
  paths: [`${tasksPath}/:task_id`],
  summary: 'Query a video task',
  replies: { 200: queryReply },
  handle(call) {
    const seen = pollOne(call.world, findTask(call))
    if (!seen) return ok(unknownReply(call.params.task_id ?? '', call.requestId))
    return ok(present(seen, { requestId: call.requestId, videoUrl: resultLink(call, synthesis, seen) }))
  },
}

const list: Endpoint = {
  operation: 'b.list',
  method: 'GET',
  paths: [tasksPath],
  summary: 'List the video tasks of the last 24 hours',
  beyondSpecification: true,
  query: listQuery,
  tasksIn: { query: ['task_id'] },
  replies: { 200: listReply },
  handle: call => ok(presentList(call)),
}

const cancel: Endpoint = {
  operation: 'b.cancel',
  method: 'POST',
  paths: [`${tasksPath}/:task_id/cancel`],
  summary: 'Cancel a pending video task',
  beyondSpecification: true,
  replies: { 200: cancelReply },
  handle(call) {
    const task = findTask(call)
    // B-cancel: upstream gives the same answer for every task that cannot be cancelled, also for a missing one.
    if (!task || viewAt(task, call.now).status !== 'queued') throw new FaultError('not_operable')
    cancelTask(call.world, task, call.now)
    return ok({ request_id: call.requestId })
  },
}

/** Family B: video tasks on the wire of the upstream provider's native interface. */
export const synthesis: Family = {
  ...facts,
  endpoints: [create, get, list, cancel],
  dialect,
  words: () => facts.words,
  makers: { b: createTask },
  jobs: { b: jobSchema },
  runsMs,
  failure: failureOf,
  outputs: task => ({ video: videoOf(task) }),
  // B-validity.
  links: () => ({ lifeMs: 24 * 3_600_000 }),
  recorded: {
    choices: {
      'b.create': [
        {
          asked: 'parameters.ratio',
          open: [undefined, 'adaptive'],
          modes: ['text'],
          told: 'usage.ratio',
        },
        {
          asked: 'parameters.duration',
          open: [-1],
          modes: ['text'],
          told: 'usage.output_video_duration',
        },
      ],
    },
    modelLike: () => 'model_b',
  },
}

function created(call: Call, task: Task): Reply {
  return ok({ output: { task_status: facts.words.queued, task_id: task.id }, request_id: call.requestId })
}

/** The caller's task while it can be found (B-validity). Undefined for missing and outdated tasks and for tasks of other accounts. */
function findTask(call: Call): Task | undefined {
  return taskInPath(call, { family: 'b', since: oldestAt(call.now) })
}

/** The mode as the scenario language names it; undefined when the input fits no mode. */
function modeOf(body: unknown): string | undefined {
  const { input } = (body ?? {}) as Partial<CreateBody>
  try {
    // Scenarios match before the shape is checked, so the input may be anything.
    return input && readContent(input).mode
  } catch {
    return undefined
  }
}

/** How long a task can be found after its creation (B-validity). */
const validityMs = 24 * 3_600_000

/** Creation time of the oldest task that can still be found, virtual ms. A task is gone at the end of its 24th hour. */
function oldestAt(now: number): number {
  return now - validityMs + 1
}

/** The list as upstream has it (B-list): one page of the account's tasks, newest first, in a window of at most a day. */
function presentList(call: Call) {
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
