import { FaultError, missing } from '../../../faults/fault.ts'
import type { AllowedValues, Schema } from '../../../http/validate.ts'
import type { Call, Endpoint, RequestedModel } from '../../../pipeline/endpoint.ts'
import { poll } from '../../../tasks/commands.ts'
import { modelNames, neutralModel } from '../../models.ts'
import { imageToVideo, motionControl, omni, type VideoOperation } from '../facts.ts'
import { batchItem, created, linksOf, succeed } from '../present.ts'
import { byExternalId, byId, replyWith } from '../rules.ts'
import { createVideo } from './create.ts'
import {
  createReply,
  imageToVideoBody,
  motionBody,
  omniBody,
  tasksQuery,
  tasksReply,
  type VideoBody,
} from './schema.ts'

/** The two places of the prompt: the specification's and upstream's. */
const prompts = ['/prompt', '/contents/*/text']

/** A submission that makes a video: what differs between the three beside their models. */
interface Submission {
  name: string
  path: string
  summary: string
  beyondSpecification?: true
  body: Schema
}

function creating(operation: VideoOperation, { name, path, ...row }: Submission): Endpoint {
  return {
    ...row,
    operation: name,
    method: 'POST',
    paths: [`/${path}/:model`],
    pathValues: { model: namesOf(operation) },
    reads: {
      prompts,
      model: (_, params) => params.model,
      models: Object.keys(operation.models),
      mode: modeOf,
    },
    replies: { 200: createReply },
    allows: asked => allowedValues(asked, operation),
    handle: call => replyWith(call, made => createVideo(made, operation), created),
  }
}

/** The names of an operation's models, the standard one first. */
function namesOf({ models, standardModel }: VideoOperation): string[] {
  const names = modelNames().filter(name => Object.hasOwn(models, neutralModel(name, {}) ?? ''))
  return [...new Set([standardModel, ...names])]
}

/** The allowed values that messages name: turbo has no 4k and no audio setting; each submission has its own audio values. */
function allowedValues({ params, models }: RequestedModel, operation: VideoOperation): AllowedValues {
  const model = operation.models[neutralModel(params.model ?? '', models) ?? '']
  if (!model) return {}
  return { 'settings.resolution': model.resolutions, 'settings.audio': model.audio }
}

const batchKinds: readonly string[] = ['k', 'k.omni', 'k.motion']
const mostIds = 20

/** Spec: "`data` always an array". Avatar, voice and preset tasks have their own queries (K-batch). */
const getTasks: Endpoint = {
  operation: 'k.tasks.get',
  method: 'GET',
  paths: ['/tasks'],
  summary: 'Query video tasks, one or many',
  query: tasksQuery,
  // Spec: "when both are given `task_ids` wins".
  tasksIn: { query: ['task_ids', 'external_task_ids'], external: 'external_task_ids' },
  replies: { 200: tasksReply },
  handle(call) {
    const found = namedTasks(call).filter(task => batchKinds.includes(task.kind))
    call.trace.taskIds = found.map(task => task.id)
    return succeed(
      call,
      poll(call.world, found).map(seen => batchItem(seen, linksOf(call, seen))),
    )
  },
}

/** The tasks that a batch query names, in its order, each once. Unknown names are left out. */
function namedTasks(call: Call) {
  const query = call.query as { task_ids?: string[]; external_task_ids?: string[] }
  const ids = namesIn(query.task_ids)
  // Spec: "when both are given `task_ids` wins".
  const names = ids.length > 0 ? ids : namesIn(query.external_task_ids)
  if (names.length === 0) throw missing('task_ids or external_task_ids')
  if (names.length > mostIds)
    throw new FaultError('invalid_parameter', {
      param: ids.length > 0 ? 'task_ids' : 'external_task_ids',
      message: `task_ids and external_task_ids cannot exceed ${mostIds} in total`,
    })
  const find = ids.length > 0 ? byId : byExternalId
  const found = names.flatMap(name => find(call, name) ?? find(call, name.trim()) ?? [])
  return [...new Set(found)]
}

/** Blanks beside a comma are kept, because they may belong to an external id. */
function namesIn(list: readonly string[] = []): string[] {
  return list.filter(name => name.trim() !== '')
}

const modeByType: readonly (readonly [string, string])[] = [
  ['base_video', 'edit'],
  ['last_frame', 'first_last_frame'],
  ['first_frame', 'first_frame'],
  ['feature_video', 'reference'],
  ['refer_image', 'reference'],
  ['video', 'reference'],
  ['element', 'reference'],
]

/** The mode as the scenario language names it: the first row of the table whose type the contents have. */
function modeOf(body: unknown): string | undefined {
  const contents = (body as Partial<VideoBody> | undefined)?.contents
  if (!Array.isArray(contents)) return undefined
  const types = contents.map(item => (item as { type?: unknown } | null)?.type)
  return modeByType.find(([type]) => types.includes(type))?.[1] ?? 'text'
}

export const videoEndpoints = [
  creating(imageToVideo, {
    name: 'k.create',
    path: 'image-to-video',
    summary: 'Create a video from a first frame',
    body: imageToVideoBody,
  }),
  creating(omni, {
    name: 'k.omni.create',
    path: 'omni-video',
    summary: 'Create an omni video from frames, references and preset subjects',
    beyondSpecification: true,
    body: omniBody,
  }),
  creating(motionControl, {
    name: 'k.motion.create',
    path: 'motion-control',
    summary: 'Make a picture move as a video does',
    beyondSpecification: true,
    body: motionBody,
  }),
  getTasks,
]
