import { at } from '../../../evidence/spec.ts'
import { FaultError } from '../../faults/fault.ts'
import type { Schema } from '../../http/validate.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import { cancel, pollOne, removeRecord, type Seen } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { type Order, replyToCreate } from '../order.ts'
import { weekPage } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { type Purpose, readContent } from './content.ts'
import { createVideo, findTask, regenerateVideo } from './create.ts'
import { enhancePrompt } from './enhance.ts'
import { jobOf, recipeOf, textJobSchema, videoJobSchema } from './job.ts'
import { dialectOf, failureOf, taskObject } from './present.ts'
import {
  type ContentItem,
  createBodyOf,
  createReply,
  deleteReply,
  enhanceBody,
  getReply,
  type ListQuery,
  listQuery,
  listReply,
  regenerateBody,
} from './schema.ts'
import { facts, specialFacts, type Variant, variants } from './variants.ts'

type Make = (call: Call, variant: Variant) => Order

/** Family C: video, prompt enhancement and 2K regeneration. */
export const c = familyFor(variants.c)
/** C-special: the same requests and replies, in a namespace of its own. */
export const special = familyFor(variants.special)

function familyFor(variant: Variant): Family {
  const bound = (make: Make) => (call: Call) => make(call, variant)
  const family: Family = {
    ...(variant.id === 'c' ? facts : specialFacts),
    endpoints: [...creatingEndpoints(variant), ...taskEndpoints(variant, () => family)].map(endpoint =>
      variant.isForSomeAccounts ? forAllowedAccounts(endpoint) : endpoint,
    ),
    dialect: dialectOf(variant),
    words: () => facts.words,
    makers: {
      [variant.id]: bound(createVideo),
      [`${variant.id}.enhance`]: bound(enhancePrompt),
      [`${variant.id}.regenerate`]: bound(regenerateVideo),
    },
    jobs: {
      [variant.id]: videoJobSchema,
      [`${variant.id}.enhance`]: textJobSchema,
      [`${variant.id}.regenerate`]: videoJobSchema,
    },
    failure: failureOf,
    outputs,
    // C-links.
    links: () => ({ lifeMs: 24 * 3_600_000 }),
    recorded: {
      undecided: [`${variant.id}.enhance`],
      kindOf(record) {
        const type = at(record, 'task_type')
        if (type === 'h3_context_ir') return `${variant.id}.enhance`
        return type === 'regeneration' ? `${variant.id}.regenerate` : variant.id
      },
      refusesDelete: {
        status: variant.deletion.running === 'refuse' ? 400 : 501,
        live: (['queued', 'running'] as const).filter(state => variant.deletion[state] !== 'cancel'),
      },
      modelLike: () => 'model_c',
    },
  }
  return family
}

/**
 * Spec, "Family C-special": 403 and 404 are declared for every operation, also for the list, which names neither a model nor a
 * task. So they can mean the account itself (C-special-access).
 */
function forAllowedAccounts(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    handle(call) {
      const { special: refusal } = call.account
      if (refusal === 'not_found')
        throw new FaultError('not_found', { message: 'the resource does not exist for this account' })
      if (refusal === 'forbidden')
        throw new FaultError('forbidden_model', { reason: 'this account may not use the special variant' })
      return endpoint.handle(call)
    },
  }
}

function creatingEndpoints(variant: Variant): Endpoint[] {
  const creating = (name: string, path: string, row: { summary: string; body: Schema; make: Make }) => {
    const purpose: Purpose = name === 'regenerate' ? 'regeneration' : 'generation'
    const endpoint: Endpoint = {
      operation: `${variant.id}.${name}`,
      method: 'POST',
      paths: [`${variant.prefix}/v2/${path}`],
      summary: row.summary,
      body: row.body,
      reads: {
        prompts: ['/content/*/text'],
        model: body => (body as { model?: unknown } | undefined)?.model,
        models: Object.keys(facts.models),
        mode: body => modeOf(body as { content?: unknown } | undefined, purpose),
      },
      ...(name === 'regenerate' && { tasksIn: { body: '/source_task_id' } }),
      replies: { 200: createReply },
      handle: call => replyToCreate(call, made => row.make(made, variant), created),
    }
    return endpoint
  }
  return [
    creating('create', 'video_generation', {
      summary: 'Create a video task',
      body: createBodyOf(variant),
      make: createVideo,
    }),
    creating('enhance', 'h3_context_ir', {
      summary: 'Enhance a prompt; the result is a text',
      body: enhanceBody,
      make: enhancePrompt,
    }),
    creating('regenerate', 'video_regeneration', {
      summary: 'Regenerate a 768P video at 2K',
      body: regenerateBody,
      make: regenerateVideo,
    }),
  ]
}

function created(task: Task): Reply {
  return ok({ task_id: task.id })
}

/** Tasks have a video, except prompt enhancements. */
function outputs(task: Task): ReturnType<Family['outputs']> {
  const job = jobOf(task)
  return job.taskType === 'h3_context_ir' ? {} : { video: recipeOf(task, job) }
}

/** The mode as the scenario language names it; undefined when the content fits no mode. */
function modeOf(body: { content?: unknown } | undefined, purpose: Purpose): string | undefined {
  if (purpose === 'regeneration') return 'regeneration'
  if (!Array.isArray(body?.content)) return undefined
  try {
    return readContent(body.content as ContentItem[], purpose).mode
  } catch {
    // The rules report the error in the content.
    return undefined
  }
}

/** Query, list and delete. `family` is a function, because the family's own table contains these rows. */
function taskEndpoints(variant: Variant, family: () => Family): Endpoint[] {
  const queryPath = `${variant.prefix}/v2/query/video_generation`
  const get: Endpoint = {
    operation: `${variant.id}.get`,
    method: 'GET',
    paths: [`${queryPath}/:task_id`],
    summary: 'Query a task of the last 7 days',
    replies: { 200: getReply },
    handle(call) {
      const seen = pollOne(call.world, namedTask(call, variant))
      if (!seen) throw new FaultError('not_found', { param: 'task_id' })
      return ok({ task: presented(call, family(), seen) })
    },
  }
  const listTasks: Endpoint = {
    operation: `${variant.id}.list`,
    method: 'GET',
    paths: [queryPath],
    summary: 'List the tasks of the last 7 days, newest first',
    query: listQuery,
    tasksIn: { query: ['filter.task_ids'] },
    replies: { 200: listReply },
    handle: call => listed(call, family()),
  }
  const remove: Endpoint = {
    operation: `${variant.id}.delete`,
    method: 'DELETE',
    paths: [`${variant.prefix}/v2/video_generation/:task_id`],
    ...(variant.deletion.queued === 'cancel'
      ? {
          summary: 'Cancel a queued task, or delete a finished one',
          replies: { 200: deleteReply('cancelled', 'deleted') },
        }
      : { summary: 'Remove the record of a finished task', replies: { 200: deleteReply('deleted') } }),
    handle: call => deleted(call, variant),
  }
  return [get, listTasks, remove]
}

function namedTask(call: Call, variant: Variant): Task {
  const task = findTask(call, variant, call.params.task_id ?? '')
  call.trace.taskIds = [task.id]
  return task
}

/** Upstream publishes no largest page size; a larger one is accepted and gives this many items (C-list). */
const largestPage = 500

function listed(call: Call, family: Family): Reply {
  const query = call.query as ListQuery
  const type = query['filter.task_type']
  const page_size = Math.min(query.page_size, largestPage)
  const { page, total } = weekPage(call, family, { ...query, page_size }, [
    type === undefined ? undefined : task => jobOf(task).taskType === type,
  ])
  return ok({ items: page.map(seen => presented(call, family, seen)), total })
}

/** Spec, "States and transitions"; where it is silent: C-delete. */
function deleted(call: Call, variant: Variant): Reply {
  const task = namedTask(call, variant)
  const { status } = viewAt(task, call.now)
  switch (variant.deletion[status]) {
    case 'cancel':
      cancel(call.world, task, call.now)
      return ok({ task_id: task.id, action: 'cancelled', status: 'cancelled' })
    case 'remove':
      removeRecord(call.world, task, call.now)
      return ok({ task_id: task.id, action: 'deleted', status: 'deleted' })
    case 'refuse':
      throw new FaultError('not_operable', {
        reason: `task cannot be cancelled or deleted while status is ${status}`,
      })
    case 'not_implemented':
      throw new FaultError('not_implemented', {
        reason: `deleting a task that is ${status} is not implemented, only finished tasks can be deleted`,
      })
  }
}

function presented(call: Call, family: Family, seen: Seen) {
  return taskObject(seen, resultLink(call, family, seen))
}
