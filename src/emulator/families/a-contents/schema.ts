import type { FromSchema } from 'json-schema-to-ts'
import { containers } from '../../../media/index.ts'
import type { Schema } from '../../http/validate.ts'
import { exactly, link, text } from '../../worlds/record-values.ts'
import { statuses } from '../../worlds/task.ts'
import { callbackUrl, contentItems, refusedField } from '../create-rules.ts'
import { modelField } from '../models.ts'
import { fixedRatios, models, ofSomeModels, resolutions, titlesOf } from './models.ts'

const rows = Object.values(models)
const defaults = new Set(rows.map(({ standardResolution }) => standardResolution))
const rare = resolutions.filter(one => rows.some(row => !row.resolutions.includes(one)))
const withFormats = titlesOf(ofSomeModels.output_format)

/**
 * Types and limits that hold for every model of family A (Spec, "Family A: create request"). `rules.ts` checks what depends on
 * other fields.
 */
export const createBody = {
  type: 'object',
  required: ['model', 'content'],
  properties: {
    model: modelField(Object.keys(models)),
    content: contentItems('Items of kind text, image, video or audio; their combination selects the mode.'),
    resolution: {
      type: 'string',
      enum: resolutions,
      description: [
        `Default ${[...defaults].join(' or ')}.`,
        ...rare.map(one => `${one} is for ${titlesOf(row => row.resolutions.includes(one))} only.`),
      ].join(' '),
    },
    ratio: {
      type: 'string',
      enum: [...fixedRatios, 'adaptive'],
      description: 'Default adaptive.',
    },
    duration: {
      type: 'integer',
      description: `Seconds. ${rows.map(row => `${row.title}: ${row.shortestSeconds} to ${row.longestSeconds} or -1, default ${row.standardDuration}.`).join(' ')}`,
    },
    generate_audio: { type: 'boolean', description: 'Default true; the sound is mono.' },
    watermark: { type: 'boolean', description: 'Default false; overlays an AI-generated mark.' },
    output_format: { type: 'string', enum: containers, description: `${withFormats} only, default mp4.` },
    omni_reference_task_type: {
      type: 'string',
      enum: ['auto', 'reference', 'edit', 'extend'],
      description: `${titlesOf(ofSomeModels.omni_reference_task_type)} multimodal reference tasks only, default auto.`,
    },
    return_last_frame: { type: 'boolean', description: 'Default false; asks for a PNG of the last frame.' },
    execution_expires_after: {
      type: 'integer',
      minimum: 3600,
      maximum: 259200,
      description: 'Seconds from creation, default 172800.',
    },
    seed: refusedField('Legacy 1.x parameter'),
    callback_url: callbackUrl,
    service_tier: { type: 'string', description: 'Only default.' },
    priority: { type: 'integer', minimum: 0, maximum: 9 },
    safety_identifier: { type: 'string', maxLength: 64 },
    tools: { type: 'array' },
    draft: { type: 'boolean', description: 'Only false.' },
    frames: refusedField('1.x only'),
    camera_fixed: { type: 'boolean', description: '1.x only; only false.' },
  },
} as const satisfies Schema

export type CreateBody = FromSchema<typeof createBody>
export type ContentItem = CreateBody['content'][number]

export const createReply: Schema = exactly({
  id: { type: 'string', pattern: '^cgt-\\d{14}-[a-z0-9]{5}$' },
})

export const taskRecord: Schema = exactly(
  {
    id: { type: 'string' },
    model: { type: 'string' },
    status: { type: 'string', enum: statuses },
    created_at: { type: 'integer', description: 'Unix seconds.' },
    updated_at: { type: 'integer', description: 'Unix seconds.' },
  },
  {
    content: exactly({}, { video_url: link, last_frame_url: link }),
    error: exactly({ code: { type: 'string' }, message: { type: 'string' } }),
    usage: exactly({ completion_tokens: { type: 'integer' }, total_tokens: { type: 'integer' } }),
    seed: { type: 'integer' },
    resolution: { type: 'string' },
    ratio: { type: 'string', description: 'The resolved ratio.' },
    duration: { type: 'integer', description: 'Whole seconds.' },
    framespersecond: { type: 'integer' },
    generate_audio: { type: 'boolean' },
    output_format: { type: 'string', enum: containers, description: `${withFormats} only.` },
    service_tier: { type: 'string' },
    execution_expires_after: { type: 'integer' },
    draft: { type: 'boolean' },
    priority: { type: 'integer' },
    safety_identifier: { type: 'string' },
  },
)

export const listQuery = {
  type: 'object',
  properties: {
    page_num: { type: 'integer', minimum: 1, maximum: 500, default: 1 },
    page_size: { type: 'integer', minimum: 1, maximum: 500, default: 20 },
    'filter.status': { type: 'string', enum: statuses },
    'filter.task_ids': { type: 'array', items: { type: 'string' } },
    'filter.model': { type: 'string' },
    'filter.service_tier': { type: 'string' },
  },
} as const satisfies Schema

export type ListQuery = FromSchema<typeof listQuery>

export const listReply: Schema = exactly({
  items: { type: 'array', items: taskRecord },
  total: { type: 'integer' },
})

export const deleteReply = { type: 'object', additionalProperties: false } as const satisfies Schema

export const errorBody: Schema = exactly({
  error: exactly({ code: text, message: text, param: text, type: text }),
})
