import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../http/validate.ts'
import { exactly, link, text } from '../../worlds/record-values.ts'
import { callbackUrl, contentItems } from '../create-rules.ts'
import { modelField } from '../models.ts'
import { facts, longestSeconds, ratios, resolutions, type Variant } from './variants.ts'

const model = modelField(Object.keys(facts.models))

const content = contentItems(
  'One text, plus images, videos and audios; their roles select the mode.',
  '; base_video in regenerations only',
)

const duration = { type: 'integer', minimum: 4, maximum: longestSeconds, description: 'Seconds.' } as const
const ratio = {
  type: 'string',
  enum: [...ratios, 'adaptive'],
  description:
    'Required, and not adaptive, when content is only a text. With frames it follows the frame; with references the default is adaptive.',
} as const satisfies Schema
const watermark = {
  type: 'boolean',
  description: 'Default false; overlays an AI-generated mark. Upstream’s field.',
} as const

export const createBody = {
  type: 'object',
  required: ['model', 'content', 'resolution', 'duration'],
  properties: {
    model,
    content,
    resolution: { type: 'string', enum: resolutions },
    duration,
    ratio,
    aigc_watermark: watermark,
    callback_url: callbackUrl,
  },
} as const satisfies Schema

export const enhanceBody = {
  type: 'object',
  required: ['model', 'content', 'duration'],
  properties: { model, content, duration, ratio, callback_url: callbackUrl },
} as const satisfies Schema

export const regenerateBody = {
  type: 'object',
  required: ['model', 'resolution'],
  properties: {
    model,
    resolution: { type: 'string', enum: ['2K'] },
    source_task_id: {
      type: 'string',
      minLength: 1,
      description: 'The id of a succeeded generation of this account. Send either this or content.',
    },
    content,
    aigc_watermark: watermark,
    callback_url: callbackUrl,
  },
} as const satisfies Schema

export type CreateBody = FromSchema<typeof createBody>
export type EnhanceBody = FromSchema<typeof enhanceBody>
export type RegenerateBody = FromSchema<typeof regenerateBody>
export type ContentItem = CreateBody['content'][number]

/** The create body of a variant. The schema lists only what the variant allows, because refusals name the allowed values. */
export function createBodyOf({ shortestSeconds, isRatioExplicit }: Variant): Schema {
  const explicit = {
    type: 'string',
    enum: ratios,
    description: 'Required in every mode; adaptive is not supported.',
  } as const
  return {
    ...createBody,
    required: isRatioExplicit ? [...createBody.required, 'ratio'] : createBody.required,
    properties: {
      ...createBody.properties,
      duration: { ...duration, minimum: shortestSeconds },
      ratio: isRatioExplicit ? explicit : ratio,
    },
  }
}

export const createReply: Schema = exactly({ task_id: { type: 'string', pattern: '^[1-9]\\d{14}$' } })

const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
const taskTypes = ['generation', 'h3_context_ir', 'regeneration'] as const
const count = { type: 'integer', minimum: 0 } as const

const taskObject = exactly(
  {
    id: { type: 'string' },
    model: { type: 'string' },
    status: { type: 'string', enum: statuses },
    created_at: { type: 'integer', description: 'Unix seconds.' },
    updated_at: { type: 'integer', description: 'Unix seconds.' },
    duration: { type: 'integer', description: 'Seconds.' },
    ratio: { type: 'string', description: 'The resolved ratio; empty for regenerations.' },
    task_type: { type: 'string', enum: taskTypes },
    modality: { type: 'string', enum: ['video', 'text'] },
  },
  {
    error: { ...exactly({ code: text, message: text }), description: 'Failed tasks only.' },
    content: {
      ...exactly(
        {},
        {
          url: { ...link, description: 'The video.' },
          prompt: { type: 'string', description: 'The enhanced prompt.' },
        },
      ),
      description: 'Succeeded tasks only.',
    },
    resolution: { type: 'string', enum: resolutions, description: 'Video tasks only.' },
    usage: {
      ...exactly(
        {},
        {
          total_seconds: count,
          input_seconds: count,
          output_seconds: count,
          input_image_count: count,
          total_tokens: count,
          prompt_tokens: count,
          completion_tokens: count,
        },
      ),
      description: 'Succeeded and failed tasks only.',
    },
  },
)

export const getReply: Schema = exactly({ task: taskObject })

export const listQuery = {
  type: 'object',
  properties: {
    page_num: { type: 'integer', minimum: 1, default: 1 },
    page_size: {
      type: 'integer',
      minimum: 1,
      default: 20,
      description: 'A page holds at most 500 items.',
    },
    'filter.status': { type: 'string', enum: statuses },
    'filter.task_ids': { type: 'array', items: { type: 'string' }, description: 'Repeated for several.' },
    'filter.model': { type: 'string' },
    'filter.task_type': { type: 'string', enum: taskTypes },
  },
} as const satisfies Schema

export type ListQuery = FromSchema<typeof listQuery>

export const listReply: Schema = exactly({ items: { type: 'array', items: taskObject }, total: count })

/** The reply to DELETE, with what it may have done: the special variant only deletes. */
export function deleteReply(...actions: readonly ('cancelled' | 'deleted')[]): Schema {
  const action = { type: 'string', enum: actions } as const
  return exactly({ task_id: text, action, status: action })
}

export const errorBody: Schema = exactly({
  type: { type: 'string', const: 'error' },
  error: exactly({
    type: text,
    message: { type: 'string', pattern: '\\(\\d+\\)$' },
    http_code: { type: 'string', pattern: '^\\d{3}$' },
  }),
  request_id: text,
})
