import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../../http/validate.ts'
import { exactly } from '../../../worlds/record-values.ts'
import { envelope, legacyTask, optional, taskOptions } from '../schema.ts'

/** Upstream's published shape: the specification refers to the submission without showing it (K-beyond). */
export const avatarBody = {
  type: 'object',
  required: ['image'],
  properties: {
    image: {
      type: 'string',
      minLength: 1,
      description: 'A link or plain base64 of a JPEG or PNG, at most 10 MB.',
    },
    audio_id: optional({
      type: 'string',
      description: 'A voice_id; exactly one of audio_id and sound_file.',
    }),
    sound_file: optional({
      type: 'string',
      description: 'A link or plain base64 of MP3, WAV, M4A or AAC, 2 to 300 s, at most 5 MB.',
    }),
    prompt: { type: 'string', maxLength: 2500 },
    mode: optional({
      type: 'string',
      enum: ['std', 'pro'],
      description: 'std (default) is 720p, pro 1080p.',
    }),
    ...taskOptions,
  },
} as const satisfies Schema

export type AvatarBody = FromSchema<typeof avatarBody>

/** Spec, "Family K: objects" 2. */
export const avatarReply: Schema = envelope(
  legacyTask({
    type: 'object',
    additionalProperties: false,
    properties: {
      videos: {
        type: 'array',
        items: exactly(
          {
            id: { type: 'string' },
            duration: { type: 'string', pattern: '^\\d+\\.\\d{3}$', description: 'Seconds.' },
          },
          {
            url: { type: 'string', format: 'uri' },
            watermark_url: { type: 'string', format: 'uri' },
          },
        ),
      },
    },
  }),
)
