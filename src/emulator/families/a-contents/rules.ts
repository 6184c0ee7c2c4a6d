import type { MediaLimits } from '../../../media/index.ts'
import { invalid } from '../../faults/fault.ts'
import { oneOf, shown } from '../../wording/shown.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Account } from '../../worlds/world.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { withinTotals } from '../input-media.ts'
import type { Content, MediaSort } from './content.ts'
import { type Model, ofSomeModels, type Resolution, titlesOf } from './models.ts'
import type { CreateBody } from './schema.ts'

/**
 * Refuses fields that must be absent, or may only have the value that changes nothing (A-forbidden). The pipeline has removed
 * nulls.
 */
export function checkForbidden(body: CreateBody, model: Model): void {
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
export function checkOptions(body: CreateBody, model: Model, account: Account): void {
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
export function checkDeclaredType(body: CreateBody, content: Content): void {
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
export function checkWebVideo(content: Content): void {
  const inline = content.media.find(item => item.sort === 'video' && /^data:/i.test(item.url))
  if (inline) throw invalid(inline.param, 'reference_video must be provided as a web url')
}

/**
 * Checks the total length of all inputs of one kind. Returns the inputs; invented lengths are shortened to fit. Throws
 * `invalid_parameter` when the total is above the model's limit.
 */
export function checkTotals({ media }: Content, facts: readonly MediaFacts[], model: Model): MediaFacts[] {
  const { least, total: most } = model.inputSeconds
  return withinTotals(facts, ['video', 'audio'], index => media[index]?.sort, { least, most })
}
