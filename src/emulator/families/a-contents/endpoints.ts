import type { VideoRecipe } from '../../../media/index.ts'
import { FaultError } from '../../faults/fault.ts'
import type { AllowedValues } from '../../http/validate.ts'
import { type Call, type Endpoint, ok, type Reply, type RequestedModel } from '../../pipeline/endpoint.ts'
import { cancel, pollOne, removeRecord, type Seen } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family, Guess } from '../family.ts'
import { neutralModel } from '../models.ts'
import { replyToCreate } from '../order.ts'
import { taskInPath, weekMs, weekPage } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { readContent } from './content.ts'
import { createTask } from './create.ts'
import { type ContentsJob, jobSchema, videoOf } from './job.ts'
import { facts, modelLike, models, ofSomeModels, usualModel } from './models.ts'
import { dialect, failureOf, taskRecord as present, serviceTier } from './present.ts'
import {
  type CreateBody,
  createBody,
  createReply,
  deleteReply,
  type ListQuery,
  listQuery,
  listReply,
  taskRecord,
} from './schema.ts'
import { contradictsPrompt, guessedType, taskTypeOf, taskTypes } from './task-type.ts'

const tasksPath = '/api/v3/contents/generations/tasks'

const create: Endpoint = {
  operation: 'a.create',
  method: 'POST',
  paths: [tasksPath],
  summary: 'Create a video task',
  body: createBody,
  allows: allowedValues,
  reads: {
    prompts: ['/content/*/text'],
    model: body => (body as Partial<CreateBody> | undefined)?.model,
    models: Object.keys(models),
    mode: body => modesOf(body as Partial<CreateBody> | undefined),
  },
  replies: { 200: createReply },
  handle: call => replyToCreate(call, createTask, created),
}

const get: Endpoint = {
  operation: 'a.get',
  method: 'GET',
  paths: [`${tasksPath}/:task_id`],
  summary: 'Query a video task',
  replies: { 200: taskRecord },
  handle(call) {
    const seen = pollOne(call.world, findTask(call))
    if (!seen) throw notFound(call)
    return ok(presented(call, seen))
  },
}

const listTasks: Endpoint = {
  operation: 'a.list',
  method: 'GET',
  paths: [tasksPath],
  summary: 'List the video tasks of the last 7 days',
  query: listQuery,
  tasksIn: { query: ['filter.task_ids'] },
  replies: { 200: listReply },
  handle(call) {
    const query = call.query as ListQuery
    const tier = query['filter.service_tier']
    const { page, total } = weekPage(call, contents, query, [
      tier === undefined ? undefined : () => tier === serviceTier,
    ])
    return ok({ items: page.map(seen => presented(call, seen)), total })
  },
}

const remove: Endpoint = {
  operation: 'a.delete',
  method: 'DELETE',
  paths: [`${tasksPath}/:task_id`],
  summary: 'Cancel a queued task, or remove the record of a finished one',
  replies: { 200: deleteReply },
  handle(call) {
    const task = findTask(call)
    const { status } = viewAt(task, call.now)
    switch (status) {
      case 'queued':
        cancel(call.world, task, call.now)
        return ok({})
      case 'running':
        throw notOperable(task, 'running', 'InvalidAction.RunningTaskDeletion')
      case 'cancelled':
        throw notOperable(task, 'cancelled', 'InvalidAction.CancelledTaskDeletion')
      case 'succeeded':
      case 'failed':
      case 'expired':
        removeRecord(call.world, task, call.now)
        return ok({})
    }
  },
}

/** Family A: video tasks. */
export const contents: Family = {
  ...facts,
  endpoints: [create, get, listTasks, remove],
  dialect,
  words: () => facts.words,
  // Spec, "States and transitions", A: only a queued task can become `cancelled`.
  fromQueueOnly: ['cancelled'],
  makers: { a: createTask },
  jobs: { a: jobSchema },
  failure: failureOf,
  guess: guessOf,
  outputs,
  links(task) {
    const maxDownloads = models[(task.job as ContentsJob).modelId]?.maxDownloads
    return { ...(maxDownloads !== undefined && { maxDownloads }) }
  },
  recorded: {
    choices: {
      'a.create': [
        { asked: 'ratio', open: [undefined, 'adaptive'], modes: ['text', 'reference'], told: 'ratio' },
        {
          asked: 'duration',
          open: [undefined, -1],
          modes: taskTypes.filter(type => type !== 'edit'),
          told: 'duration',
        },
      ],
    },
    refusesDelete: { status: 409, live: ['running'] },
    modelLike,
    expiry: { field: 'execution_expires_after', rows: ['a.create.expiry-expires', 'a.states.expire'] },
    hasRelayedLinks: true,
  },
}

/** The allowed values in messages, by model. */
function allowedValues({ body, models: added }: RequestedModel): AllowedValues {
  const name = (body as Partial<CreateBody> | null)?.model
  const model = typeof name === 'string' ? models[neutralModel(name, added) ?? ''] : undefined
  if (!model) return {}
  const absent = Object.entries(ofSomeModels).filter(([, has]) => !has(model))
  return { resolution: model.resolutions, ...Object.fromEntries(absent.map(([field]) => [field, null])) }
}

function created(task: Task): Reply {
  return ok({ id: task.id })
}

/** Upstream finds tasks for 7 days. Older tasks and tasks of other accounts are a 404 (Spec, "Errors" rule 4). */
function findTask(call: Call): Task {
  const task = taskInPath(call, { family: 'a', since: call.now - weekMs })
  if (!task) throw notFound(call)
  return task
}

function notFound(call: Call): FaultError {
  return new FaultError('not_found', {
    param: 'task_id',
    reason: `The specified task ${(call.params.task_id ?? '').slice(0, 80)} is not found`,
  })
}

function notOperable(task: Task, state: string, code: string): FaultError {
  return new FaultError('not_operable', {
    param: 'task_id',
    code,
    reason: `Cannot delete task ${task.id} because it is currently ${state}`,
  })
}

function presented(call: Call, seen: Seen) {
  return present(seen, {
    video: resultLink(call, contents, seen),
    lastFrame: resultLink(call, contents, seen, 'last_frame'),
  })
}

/**
 * The modes as the scenario language names them; none when the content fits no mode. A name from the config file counts as the usual model.
 */
function modesOf(body: Partial<CreateBody> | undefined): string[] {
  const model = models[neutralModel(String(body?.model), {}) ?? ''] ?? models[usualModel]
  if (!Array.isArray(body?.content) || !model) return []
  const declared = body.omni_reference_task_type
  try {
    const content = readContent(body.content, model)
    const mode = taskTypeOf(content, declared, model)
    return model.edits && contradictsPrompt(content, declared) ? [mode, 'type_mismatch'] : [mode]
  } catch {
    return []
  }
}

/** How the type of a stored task was guessed from its request. */
function guessOf({ request, job }: Task): Guess | undefined {
  const model = models[(job as ContentsJob).modelId]
  if (!model?.edits) return undefined
  const body: CreateBody = JSON.parse(request)
  return guessedType(readContent(body.content, model), body)
}

function outputs(task: Task): Record<string, VideoRecipe | { kind: 'last_frame'; of: VideoRecipe }> {
  const video = videoOf(task)
  return {
    video,
    ...((task.job as ContentsJob).lastFrame && { last_frame: { kind: 'last_frame', of: video } }),
  }
}
