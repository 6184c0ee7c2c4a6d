import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../../http/validate.ts'
import { exactly } from '../../../worlds/record-values.ts'
import { envelope, legacyTask, taskOptions } from '../schema.ts'

export const presetsQuery = {
  type: 'object',
  properties: {
    pageNum: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 500, default: 30 },
  },
} as const satisfies Schema

const imageList = {
  type: 'object',
  required: ['frontal_image'],
  additionalProperties: false,
  properties: {
    frontal_image: { type: 'string' },
    refer_images: {
      type: 'array',
      items: {
        type: 'object',
        required: ['image_url'],
        additionalProperties: false,
        properties: { image_url: { type: 'string' } },
      },
    },
  },
} as const satisfies Schema

const videoList = {
  type: 'object',
  required: ['refer_videos'],
  additionalProperties: false,
  properties: {
    refer_videos: {
      type: 'array',
      items: {
        type: 'object',
        required: ['video_url'],
        additionalProperties: false,
        properties: { video_url: { type: 'string' } },
      },
    },
  },
} as const satisfies Schema

/** Fields of a preset that the control API makes; upstream's names. */
export const presetBody = {
  type: 'object',
  properties: {
    element_name: { type: 'string', minLength: 1, maxLength: 20 },
    element_description: { type: 'string', maxLength: 100 },
    element_image_list: imageList,
    element_video_list: videoList,
    ...taskOptions,
  },
} as const satisfies Schema

export type PresetBody = FromSchema<typeof presetBody>

const element = exactly(
  {
    element_id: { type: 'integer', description: 'Can be referenced in omni and motion-control requests.' },
    element_name: { type: 'string' },
    element_description: { type: 'string' },
    reference_type: { type: 'string', enum: ['image_refer', 'video_refer'] },
    owned_by: { type: 'string' },
    status: { type: 'string', enum: ['succeed'] },
  },
  {
    element_image_list: imageList,
    element_video_list: videoList,
    tag_list: {
      type: 'array',
      items: exactly({
        id: { type: 'string' },
        name: { type: 'string' },
        description: { type: 'string' },
      }),
    },
  },
)

/** Spec, "Family K": "200 `data[]` of task objects". */
export const presetsReply: Schema = envelope({
  type: 'array',
  items: legacyTask({
    type: 'object',
    additionalProperties: false,
    properties: { elements: { type: 'array', items: element } },
  }),
})
