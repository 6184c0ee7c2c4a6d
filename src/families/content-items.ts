import type { Schema } from '../http/validate.ts'

const address = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string', minLength: 1 } },
} as const satisfies Schema

/** The schema of `content[]` in families A and C: a text, or the address of a file and its role. */
export function contentItems(description: string, roles: string) {
  return {
    type: 'array',
    minItems: 1,
    description,
    items: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', description: 'text, image_url, video_url or audio_url.' },
        text: { type: 'string' },
        image_url: address,
        video_url: address,
        audio_url: address,
        role: { type: 'string', description: roles },
      },
    },
  } as const satisfies Schema
}
