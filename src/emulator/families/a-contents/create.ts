import type { MediaLimits } from '../../../media/index.ts'
import { invalid } from '../../faults/fault.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { roundCredits } from '../../tasks/ledger.ts'
import { oneOf, shown } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { stampedId } from '../../worlds/stamped-id.ts'
import type { Task } from '../../worlds/task.ts'
import type { Account } from '../../worlds/world.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { notesOn } from '../input-media.ts'
import { withinTotals } from '../invented-lengths.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { queuedMs, runningMs } from '../video-recipe.ts'
import { type Content, type MediaSort, readContent } from './content.ts'
import { type ContentsJob, framesOf, jobOf, tokensOf } from './job.ts'
import { type Model, models, ofSomeModels, type Resolution, titlesOf } from './models.ts'
import { failureOf } from './present.ts'
import type { CreateBody } from './schema.ts'
import { checkEditedVideos, checkTaskType, taskTypeOf } from './task-type.ts'

/** Checks a create call after its shape was checked, in the order of A-order. */
export function createTask(call: Call): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  const model = chooseModel(call, body.model, models)
  checkForbidden(body, model)
  checkOptions(body, model, call.account)
  const content = readContent(body.content, model)
  checkDeclaredType(body, content)
  const type = taskTypeOf(content, body.omni_reference_task_type, model)
  const typed = model.edits && { type, edits: model.edits }
  if (typed) checkTaskType(typed, body, content)
  checkWebVideo(content)
  const admit = (resolved: readonly MediaFacts[]) => {
    const media = checkTotals(content, resolved, model)
    if (typed) checkEditedVideos(typed, content, media)
    return store(call, { body, content, type, model, media })
  }
  const references = content.media.map(({ sort, url, param }) => ({
    reference: url,
    kind: sort,
    param,
    limits: limitsOf(sort, model),
  }))
  return mediaOrder(call, references, admit)
}

type Checked = Parameters<typeof jobOf>[0]

function store(call: Call, checked: Checked): Task {
  const { codecs } = call.services.options
  return admit(cancelledInQueue(call), random => {
    const job = jobOf(checked, random, codecs)
    return {
      family: 'a',
      kind: 'a',
      model: checked.body.model,
      job,
      queuedMs,
      runningMs: runningMs(job),
      expiresAfterMs: job.expiresAfterSeconds * 1000,
      charge: chargeOf(call, checked, job),
      failure: failureOf,
      id: (random, now) => stampedId('cgt', random, now),
      notes: notesOn(checked.media),
    }
  })
}

/**
 * Spec, "States and transitions": a running task of this family cannot be cancelled. A task that a scenario cancels therefore
 * never starts (A-cancel).
 */
function cancelledInQueue(call: Call): Call {
  const { task } = call.effects
  if (task?.outcome !== 'cancelled') return call
  return { ...call, effects: { ...call.effects, task: { ...task, runningMs: 0 } } }
}

/** Reserves the price of the longest length that `duration: -1` can give; the task is charged by its tokens. */
function chargeOf(call: Call, { body, model, type }: Checked, job: ContentsJob): Task['charge'] {
  const perToken = priceOf(call, `${model.id}.per_million_tokens`) / 1e6
  const settled = roundCredits(tokensOf(job) * perToken)
  const isOpen = (body.duration ?? model.standardDuration) === -1 && type !== 'edit'
  if (!isOpen) return { settled, reserved: settled }
  const frames = framesOf(model.longestSeconds, type)
  return { settled, reserved: roundCredits(tokensOf({ ...job, frames }) * perToken) }
}

/**
 * Refuses fields that must be absent, or may only have the value that changes nothing (A-forbidden). The pipeline has removed
 * nulls.
 */
function checkForbidden(body: CreateBody, model: Model): void {
  checkNoCallback({ callback_url: body.callback_url })
  // Spec, "Family A: create request", seed.
  if (body.seed !== undefined)
    throw invalid('seed', `is a parameter of 1.x models and must not be sent with ${model.title}`)
  if (body.frames !== undefined)
    throw invalid('frames', `is a parameter of 1.x models and must not be sent with ${model.title}`)
  if (body.camera_fixed === true)
    throw invalid('camera_fixed', `is a parameter of 1.x models and must not be true with ${model.title}`)
  if (body.draft === true) throw invalid('draft', 'draft is not supported, must be empty or false')
  if (body.service_tier !== undefined && body.service_tier !== 'default') {
    throw invalid('service_tier', `${shown(body.service_tier)} is not supported, must be default`)
  }
  for (const field of ['output_format', 'omni_reference_task_type'] as const) {
    const has = ofSomeModels[field]
    if (!has(model) && body[field] !== undefined)
      throw invalid(field, `is for ${titlesOf(has)} only and must not be sent with ${model.title}`)
  }
  const { output_format: format } = body
  if (format !== undefined && !model.formats.includes(format))
    throw invalid('output_format', `${format} is not supported by ${model.title}, ${oneOf(model.formats)}`)
}

/** Checks values that depend on the model or on the account's group. */
function checkOptions(body: CreateBody, model: Model, account: Account): void {
  checkResolution(body.resolution ?? model.standardResolution, model, account)
  const { duration } = body
  if (
    duration !== undefined &&
    duration !== -1 &&
    (duration < model.shortestSeconds || duration > model.longestSeconds)
  ) {
    throw invalid(
      'duration',
      `${duration} is not supported, must be -1 or from ${model.shortestSeconds} to ${model.longestSeconds} seconds for ${model.title}`,
    )
  }
}

/** Spec, "Errors" rule 1: "Resolution not allowed for the model or group gives 400 and no charge". */
function checkResolution(resolution: Resolution, model: Model, account: Account): void {
  if (!model.resolutions.includes(resolution)) {
    throw invalid(
      'resolution',
      `${resolution} is not supported by ${model.title}, ${oneOf(model.resolutions)}`,
    )
  }
  checkGroup({ param: 'resolution', resolution, offered: model.resolutions }, account)
}

/**
 * Spec: omni_reference_task_type is for "2.5 multimodal reference tasks only". `auto` is allowed everywhere because it is the
 * default (A-auto-type).
 */
function checkDeclaredType(body: CreateBody, content: Content): void {
  const declared = body.omni_reference_task_type
  if (declared === undefined || declared === 'auto' || content.mode === 'r2v') return
  throw invalid(
    'omni_reference_task_type',
    `${declared} is for reference tasks only, and this content is ${content.mode}`,
  )
}

const aspect = { min: 0.4, max: 2.5 }
const sidePx = { min: 300, max: 6000 }

/** Limits of one input file, by kind: upstream's published table, with the tolerance that was measured. */
export function limitsOf(sort: MediaSort, model: Model): MediaLimits {
  const { least, most } = model.inputSeconds
  const seconds = { min: least, max: most, tolerance: 0.2 }
  switch (sort) {
    case 'image':
      return {
        formats: ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif'],
        maxBytes: 30 * 1024 * 1024,
        aspect,
        sidePx,
      }
    case 'video':
      return {
        formats: ['mp4', 'mov'],
        maxBytes: 200 * 1024 * 1024,
        aspect,
        sidePx,
        pixels: { min: 407_696, max: 8_295_044 },
        seconds,
        fps: { min: 24, max: 60, tolerance: 0.1 },
      }
    case 'audio':
      return { formats: ['mp3', 'wav'], maxBytes: 15 * 1024 * 1024, seconds }
  }
}

/** Upstream takes a reference video only by link; the message is upstream's. */
function checkWebVideo(content: Content): void {
  const inline = content.media.find(item => item.sort === 'video' && /^data:/i.test(item.url))
  if (inline) throw invalid(inline.param, 'reference_video must be provided as a web url')
}

/**
 * Checks the total length of all inputs of one kind. Returns the inputs; invented lengths are shortened to fit. Throws
 * `invalid_parameter` when the total is above the model's limit.
 */
function checkTotals({ media }: Content, facts: readonly MediaFacts[], model: Model): MediaFacts[] {
  const { least, total: most } = model.inputSeconds
  return withinTotals(facts, ['video', 'audio'], index => media[index]?.sort, { least, most })
}
