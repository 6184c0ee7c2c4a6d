import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../http/validate.ts'
import { exactly, link, text } from '../../worlds/record-values.ts'
import { callbackUrl } from '../create-rules.ts'
import { modelField } from '../models.ts'
import { facts, models, resolutions } from './models.ts'

const asyncHeader = { type: 'string', enum: ['enabled', 'enable'] } as const

/** Spec: header X-Vendor-Async, enum `enabled`, optional. Clients of the upstream send its own header and value (B-header). */
export const createHeaders = {
  type: 'object',
  properties: { 'X-Vendor-Async': asyncHeader, 'X-DashScope-Async': asyncHeader },
} as const

/**
 * Types and limits of single values (Spec, "Family B: create request"). `content.ts` and `rules.ts` check what depends on other
 * values.
 */
export const createBody = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: modelField(Object.keys(models)),
    input: {
      type: 'object',
      description: 'At least one of prompt and media.',
      properties: {
        prompt: { type: 'string', description: 'Characters after the first 20,000 are cut off.' },
        media: {
          type: 'array',
          description: 'The combination selects the mode; without media it is text-to-video.',
          items: {
            type: 'object',
            required: ['type', 'url'],
            properties: {
              type: {
                type: 'string',
                enum: [
                  'first_frame',
                  'last_frame',
                  'reference_image',
                  'reference_video',
                  'reference_audio',
                  'file',
                  'link',
                ],
              },
              url: {
                type: 'string',
                minLength: 1,
                description: 'http(s), oss:// or asset://; pictures also as data URI.',
              },
            },
          },
        },
        extend_prompt: { description: 'Sent by the official Python SDK; ignored.' },
        callback_url: callbackUrl,
      },
    },
    parameters: {
      type: 'object',
      properties: {
        resolution: { type: 'string', enum: resolutions, description: 'Default 1080P.' },
        ratio: {
          type: 'string',
          enum: ['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
          description: 'Default adaptive.',
        },
        duration: {
          type: 'integer',
          description:
            'Seconds, 2 to 30 together with all input videos, or -1 for automatic choice; default 5.',
        },
        audio: { type: 'boolean', description: 'Default true.' },
        seed: { type: 'integer', minimum: -1, maximum: 2147483647, description: '-1 draws one.' },
        prompt_extend: {
          type: 'boolean',
          description: 'Default true; must be true with a file or link.',
        },
        watermark: { type: 'boolean', description: 'Default false; overlays an AI-generated mark.' },
        callback_url: callbackUrl,
      },
    },
    callback_url: callbackUrl,
  },
} as const satisfies Schema

export type CreateBody = FromSchema<typeof createBody>
export type Parameters = NonNullable<CreateBody['parameters']>
export type MediaType = NonNullable<CreateBody['input']['media']>[number]['type']

const uuid = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
} as const satisfies Schema

const time = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3}$',
  description: 'YYYY-MM-DD HH:MM:SS.mmm in UTC+8.',
} as const satisfies Schema

const statuses = [...Object.values(facts.words), facts.unknownWord]

export const createReply: Schema = exactly({
  output: exactly({ task_id: uuid, task_status: { type: 'string', enum: ['PENDING'] } }),
  request_id: uuid,
})

export const queryReply: Schema = exactly(
  {
    request_id: uuid,
    output: exactly(
      {
        task_id: { type: 'string' },
        task_status: { type: 'string', enum: statuses },
      },
      {
        submit_time: time,
        scheduled_time: time,
        end_time: time,
        orig_prompt: { type: 'string' },
        video_url: link,
        code: { type: 'string', description: 'Why the task failed.' },
        message: { type: 'string', description: 'Why the task failed.' },
      },
    ),
  },
  {
    usage: exactly({
      video_count: { type: 'integer' },
      duration: { type: 'number', description: 'Seconds that are billed: input and output together.' },
      input_video_duration: { type: 'number', description: 'Seconds.' },
      output_video_duration: { type: 'number', description: 'Seconds.' },
      fps: { type: 'integer' },
      SR: { type: 'integer', enum: [480, 720, 1080] },
      ratio: { type: 'string', pattern: '^\\d+:\\d+$' },
    }),
  },
)

export const listQuery = {
  type: 'object',
  properties: {
    task_id: { type: 'string' },
    start_time: { type: 'string', pattern: '^\\d{14}$', description: 'YYYYMMDDhhmmss in UTC+8.' },
    end_time: { type: 'string', pattern: '^\\d{14}$', description: 'YYYYMMDDhhmmss in UTC+8.' },
    model_name: { type: 'string' },
    status: { type: 'string', enum: statuses },
    page_no: { type: 'integer', minimum: 1, maximum: 1000000, default: 1 },
    page_size: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  },
} as const satisfies Schema

export type ListQuery = FromSchema<typeof listQuery>

export const listReply: Schema = exactly({
  total: { type: 'integer' },
  data: {
    type: 'array',
    items: exactly(
      {
        gmt_create: { type: 'integer', description: 'Epoch milliseconds.' },
        request_id: uuid,
        status: { type: 'string', enum: statuses },
        task_id: uuid,
        model_name: { type: 'string' },
      },
      {
        api_key_id: { type: 'string' },
        caller_parent_id: { type: 'string' },
        caller_uid: { type: 'string' },
        start_time: { type: 'integer', description: 'Epoch milliseconds.' },
        end_time: { type: 'integer', description: 'Epoch milliseconds.' },
        region: { type: 'string' },
        user_api_unique_key: { type: 'string' },
      },
    ),
  },
  total_page: { type: 'integer' },
  page_no: { type: 'integer' },
  page_size: { type: 'integer' },
  request_id: uuid,
})

export const cancelReply: Schema = exactly({ request_id: uuid })

export const errorBody: Schema = exactly({ code: text, message: text, request_id: text })
