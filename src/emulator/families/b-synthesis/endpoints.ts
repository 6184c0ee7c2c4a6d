import { FaultError } from '../../faults/fault.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import { cancel as cancelTask, pollOne } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { replyToCreate } from '../order.ts'
import { taskInPath } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { readContent } from './content.ts'
import { createTask, runsMs } from './create.ts'
import { jobSchema, videoOf } from './job.ts'
import { facts, models } from './models.ts'
import { dialect, failureOf, queryReply as present, unknownReply } from './present.ts'
import {
  type CreateBody,
  cancelReply,
  createBody,
  createHeaders,
  createReply,
  listQuery,
  listReply,
  queryReply,
} from './schema.ts'
import { oldestAt, listReply as presentList } from './task-list.ts'

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
