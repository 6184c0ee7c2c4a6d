import { FaultError } from '../../faults/fault.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { cancel as cancelTask, pollOne } from '../../tasks/commands.ts'
import { fixedCharge, roundCredits } from '../../tasks/ledger.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { MediaFacts, MediaKind } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { type MediaReference, notesOn } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order, replyToCreate } from '../order.ts'
import { taskInPath } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { queuedMs, runningMs } from '../video-recipe.ts'
import { type Content, type MediaItem, readContent, sorts } from './content.ts'
import { jobOf, jobSchema, type Resolved, type SynthesisJob, videoOf } from './job.ts'
import { facts, type Model, models } from './models.ts'
import { dialect, failureOf, queryReply as present, unknownReply } from './present.ts'
import {
  checkAddress,
  checkAsyncHeaders,
  checkForbidden,
  checkMeasured,
  checkOptions,
  limits,
  longestSeconds,
  type Measured,
} from './rules.ts'
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

/** Checks a create call after its shape was checked, in the order of A-order. */
function createTask(call: Call): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  const model = chooseModel(call, body.model, models)
  checkAsyncHeaders(call.headers)
  checkForbidden(body)
  const { parameters = {} } = body
  const content = readContent(body.input)
  checkOptions(parameters, content, call.account)
  content.media.forEach(checkAddress)
  const checked = { modelId: model.id, parameters, content }
  const files = content.media.flatMap(fileOf)
  const admit = (facts: readonly MediaFacts[]) => {
    const items = files.flatMap(({ item }, index) => measured(item, facts[index]))
    const media = items.length > 0 ? checkMeasured(items, parameters.duration) : []
    return store(call, model, { ...checked, media })
  }
  const references = files.map(({ reference }) => reference)
  return mediaOrder(call, references, admit)
}

/** The file that an item refers to. A `link` has none: its page is not opened. */
function fileOf(item: MediaItem): { item: MediaItem; reference: MediaReference }[] {
  const { type, url, param } = item
  if (type === 'link') return []
  const kind = sorts[type].kind as MediaKind
  return [{ item, reference: { reference: url, kind, param, limits: limits[type], store: 'oss' } }]
}

function measured(item: MediaItem, facts: MediaFacts | undefined): Measured[] {
  return facts ? [{ ...item, facts }] : []
}

function store(call: Call, model: Model & { id: string }, resolved: Resolved): Task {
  return admit(call, random => {
    const job = jobOf(resolved, random)
    return {
      family: 'b',
      kind: 'b',
      model: (call.body as CreateBody).model,
      job,
      queuedMs,
      runningMs: runningMs(job, [runsMs[0] * model.pace, runsMs[1] * model.pace]),
      charge: chargeOf(call, resolved, job),
      failure: failureOf,
      timeout: { code: 'InternalError.Timeout' },
      id: stream => stream.uuid(),
      notes: [...notesOn(resolved.media.map(({ facts }) => facts)), ...notesOnContent(resolved.content)],
    }
  })
}

/** Range of the run time for five seconds of 720P, virtual ms (A-run-times). */
const runsMs = [10_000, 25_000] as const

/** Seconds of input and output are billed (B-usage). When the output's length is open, its longest length is reserved. */
function chargeOf(call: Call, { modelId, parameters }: Resolved, job: SynthesisJob): Task['charge'] {
  const perSecond = priceOf(call, `${modelId}.per_second`)
  const charge = fixedCharge((job.inputSeconds + job.seconds) * perSecond)
  if (parameters.duration !== -1) return charge
  const longest = Math.floor(longestSeconds - job.inputSeconds)
  return { ...charge, reserved: roundCredits((job.inputSeconds + longest) * perSecond) }
}

/** Sentences for the story about what the reply does not show: a prompt that was cut, a page that was not opened. */
function notesOnContent({ cutCharacters, media }: Content): string[] {
  const pages = media.filter(({ type }) => type === 'link')
  return [
    ...(cutCharacters > 0
      ? [
          `The prompt was cut off after 20000 characters: ${cutCharacters} were dropped, and the reply does not say so, as at upstream.`,
        ]
      : []),
    ...pages.map(({ url }) => `The page ${url.slice(0, 200)} was not opened: only its address was checked.`),
  ]
}

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
