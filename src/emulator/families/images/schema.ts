import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../http/validate.ts'
import { exactly, link, record, text, type Value } from '../../worlds/record-values.ts'
import { callbackUrl, refusedField } from '../create-rules.ts'
import { modelField } from '../models.ts'
import { facts } from './facts.ts'

/**
 * Types and limits of the request that hold in both modes (Spec, "Image: request and response"). `rules.ts` checks what depends
 * on other fields.
 */
export const generateBody = {
  type: 'object',
  required: ['model'],
  properties: {
    model: modelField(Object.keys(facts.models)),
    prompt: {
      type: 'string',
      description:
        'Required unless layer_decomposition is true. <point>x y</point> and <bbox>x1 y1 x2 y2</bbox> point into the first picture, or the one named before them; 0 to 999.',
    },
    image: {
      description:
        'URL, data URI or asset:// reference, one or a list of up to 10; exactly one in layer mode.',
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
    },
    size: {
      type: 'string',
      description:
        '1K, 1.5K, 2K, or WxH with 921600 to 4624220 pixels. Default 2K; in layer mode auto, the size of the source.',
    },
    optimize_prompt_options: {
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['standard', 'fast'], description: 'Default standard.' },
        thinking: { type: 'string', enum: ['auto', 'enabled', 'disabled'] },
      },
    },
    output_format: {
      type: 'string',
      enum: ['jpeg', 'png'],
      description: 'Default jpeg; layers are always png.',
    },
    background: {
      type: 'string',
      enum: ['opaque', 'transparent'],
      description: 'Default opaque. transparent needs exactly one input image and output_format png.',
    },
    response_format: {
      type: 'string',
      enum: ['url', 'b64_json'],
      description: 'Default url; links work for 24 hours.',
    },
    layer_decomposition: { type: 'boolean', description: 'true takes the picture apart into layers.' },
    stream: { type: 'boolean', description: 'Only false.' },
    watermark: { type: 'boolean', description: 'Default false; adds an AI-generated mark.' },
    n: { description: 'Not supported; 1 has no effect.' },
    sequential_image_generation: refusedField('Not supported, also as disabled'),
    sequential_image_generation_options: { description: 'Not supported.' },
    tools: { description: 'Not supported; an empty list has no effect.' },
    callback_url: callbackUrl,
  },
} as const satisfies Schema

export type GenerateBody = FromSchema<typeof generateBody>

const box = { type: 'array', minItems: 4, maxItems: 4, items: { type: 'integer', minimum: 0 } } as const

export const generateReply = record({
  model: text,
  created: { type: 'integer', description: 'Unix seconds.' },
  data: {
    type: 'array',
    minItems: 1,
    maxItems: 17,
    items: record(
      {
        size: { type: 'string', pattern: '^\\d+x\\d+$' },
        output_format: { type: 'string', enum: ['jpeg', 'png'] },
      },
      {
        url: link,
        b64_json: text,
        z_index: { type: 'integer', minimum: 0, maximum: 16, description: 'Layer mode; the base is 0.' },
        bounding_box: record({
          absolute: { ...box, description: 'Left, top, right, bottom in pixels of the base.' },
          normalized: { ...box, description: 'The same in 0 to 1000.' },
        }),
        name: text,
        description: text,
      },
    ),
  },
  usage: record({
    input_images: { type: 'integer' },
    generated_images: { type: 'integer' },
    output_tokens: { type: 'integer' },
    total_tokens: { type: 'integer' },
  }),
})

export type GenerateReply = Value<typeof generateReply>

export const errorBody: Schema = exactly({ error: exactly({ code: text, message: text }) })
