import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../../http/validate.ts'
import { exactly, link } from '../../../worlds/record-values.ts'
import { valuesField } from '../../create-rules.ts'
import { envelope, moment, optional, secondsText, taskId, taskOptions } from '../schema.ts'

const resolution = optional({
  type: 'string',
  enum: ['720p', '1080p', '4k'],
  description: 'Default 720p; 4k is not for turbo.',
})
const audio = optional({ type: 'string', enum: ['native', 'original', 'off'] })
const duration = optional({
  type: 'integer',
  minimum: 3,
  maximum: 15,
  description: 'Seconds, default 5.',
})
const multiShot = optional({ type: 'boolean' })

const contents = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: valuesField(['first_frame', 'last_frame', 'prompt', 'element'], ', …'),
      url: { type: 'string', description: 'A link, a data URI or plain base64.' },
      text: { type: 'string', description: 'The prompt, at upstream’s place.' },
      element_id: { type: ['string', 'integer'], description: 'Of a preset subject.' },
      id: { type: 'string', description: 'How the prompt refers to the element.' },
    },
  },
} as const satisfies Schema

const options = { type: 'object', properties: taskOptions } as const satisfies Schema

function submission<const S extends Schema>(settings: S) {
  return {
    type: 'object',
    required: ['contents'],
    properties: { prompt: { type: 'string' }, settings, contents, options, ...taskOptions },
  } as const satisfies Schema
}

/** Spec, "Family K": `prompt`, `settings` and `contents[]`. The prompt may also be an item, as upstream has it. */
export const imageToVideoBody = submission({
  type: 'object',
  properties: { resolution, duration, audio, multi_shot: multiShot },
})

export const omniBody = submission({
  type: 'object',
  properties: {
    resolution,
    duration,
    audio,
    multi_shot: multiShot,
    aspect_ratio: optional({
      type: 'string',
      enum: ['16:9', '9:16', '1:1'],
      description: 'Required without a first frame and without a video.',
    }),
  },
})

const motionSettings = {
  type: 'object',
  required: ['character_orientation'],
  properties: {
    resolution,
    audio,
    character_orientation: {
      type: 'string',
      enum: ['image', 'video'],
      description: 'image: the video is 3 to 10 s long; video: 3 to 30 s.',
    },
  },
} as const satisfies Schema

export const motionBody = {
  ...submission(motionSettings),
  required: ['settings', 'contents'],
} as const satisfies Schema

type Body = FromSchema<typeof imageToVideoBody>
export type ContentItem = Body['contents'][number]
/** The settings of all three submissions; each allows some of them. */
export type Settings = NonNullable<Body['settings']> &
  NonNullable<FromSchema<typeof omniBody>['settings']> &
  Partial<FromSchema<typeof motionSettings>>

/** Any of the three submissions. */
export type VideoBody = Body & { settings?: Settings }

/** Spec, "Family K: objects" 1. */
export const createReply: Schema = envelope(
  exactly(
    {
      id: taskId,
      status: { type: 'string', const: 'submitted' },
      create_time: moment,
      update_time: moment,
    },
    {
      external_id: { type: 'string', description: 'Absent when none was sent.' },
    },
  ),
)

export const tasksQuery = {
  type: 'object',
  properties: {
    task_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'Comma-separated; wins over external_task_ids.',
    },
    external_task_ids: { type: 'array', items: { type: 'string' }, description: 'Comma-separated.' },
  },
} as const satisfies Schema

/** Spec, "Family K: objects" 3. */
const batchItem = exactly(
  {
    id: taskId,
    status: { type: 'string', enum: ['submitted', 'processing', 'succeeded', 'failed'] },
    create_time: moment,
    update_time: moment,
    outputs: {
      type: 'array',
      description: 'Empty until success.',
      items: exactly(
        {
          id: { type: 'string' },
          type: { type: 'string', const: 'video' },
          duration: secondsText,
        },
        {
          url: link,
          watermark_url: { ...link, description: 'Present when a watermark was requested.' },
        },
      ),
    },
  },
  {
    message: { type: 'string', description: 'Why it failed; only on failed tasks.' },
    external_id: { type: 'string' },
  },
)

export const tasksReply: Schema = envelope({ type: 'array', items: batchItem })
