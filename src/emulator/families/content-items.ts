import type { Schema } from '../http/validate.ts'

const address = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string', minLength: 1 } },
} as const satisfies Schema

/** A text field with these values. Others are refused by rules of the family, which say more than a schema can. */
export function valuesField(values: readonly string[], more = '') {
  return { type: 'string', description: `${values.join(', ')}${more}.`, 'x-values': values } as const
}

const roles = ['first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio']

/** The schema of `content[]` in families A and C: a text, or the address of a file and its role. */
export function contentItems(description: string, moreRoles = '') {
  return {
    type: 'array',
    minItems: 1,
    description,
    items: {
      type: 'object',
      required: ['type'],
      properties: {
        type: valuesField(['text', 'image_url', 'video_url', 'audio_url']),
        text: { type: 'string' },
        image_url: address,
        video_url: address,
        audio_url: address,
        role: valuesField(roles, moreRoles),
      },
    },
  } as const satisfies Schema
}
