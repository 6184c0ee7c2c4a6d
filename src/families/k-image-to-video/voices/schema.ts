import type { FromSchema } from 'json-schema-to-ts'
import type { Schema } from '../../../http/validate.ts'
import { exactly } from '../../../worlds/record-values.ts'
import { envelope, legacyTask, optional, taskOptions } from '../schema.ts'

/** Upstream's published shape: the specification refers to the submission without showing it (K-beyond). */
export const voiceBody = {
  type: 'object',
  required: ['voice_name'],
  properties: {
    voice_name: { type: 'string', minLength: 1, maxLength: 20 },
    voice_url: optional({
      type: 'string',
      description: 'A link to MP3, WAV, MP4 or MOV, 5 to 30 s; exactly one of voice_url and video_id.',
    }),
    video_id: optional({ type: 'string', description: 'The id of a video with sound made earlier.' }),
    ...taskOptions,
  },
} as const satisfies Schema

export type VoiceBody = FromSchema<typeof voiceBody>

/** Spec, "Family K: objects" 2. */
export const voiceReply: Schema = envelope(
  legacyTask({
    type: 'object',
    additionalProperties: false,
    properties: {
      voices: {
        type: 'array',
        items: exactly(
          {
            voice_id: { type: 'string' },
            voice_name: { type: 'string' },
            owned_by: { type: 'string' },
          },
          {
            trial_url: { type: 'string', format: 'uri' },
          },
        ),
      },
    },
  }),
)
