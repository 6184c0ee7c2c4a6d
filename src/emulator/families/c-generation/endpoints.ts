import { at } from '../../../evidence/spec.ts'
import { FaultError } from '../../faults/fault.ts'
import type { Schema } from '../../http/validate.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { type Order, replyToCreate } from '../order.ts'
import { type Purpose, readContent } from './content.ts'
import { createVideo } from './create.ts'
import { enhancePrompt } from './enhance.ts'
import { jobOf, recipeOf, textJobSchema, videoJobSchema } from './job.ts'
import { dialectOf, failureOf } from './present.ts'
import { regenerateVideo } from './regenerate.ts'
import { type ContentItem, createBodyOf, createReply, enhanceBody, regenerateBody } from './schema.ts'
import { taskEndpoints } from './task-endpoints.ts'
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
