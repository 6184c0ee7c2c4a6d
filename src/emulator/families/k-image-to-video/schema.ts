import type { Schema } from '../../http/validate.ts'
import { exactly, type RecordSchema, text } from '../../worlds/record-values.ts'
import { callbackUrl } from '../create-rules.ts'

/** An optional value. Vendors' examples send "" for an option that is not set, so "" counts as absent (K-empty). */
export function optional<const S extends Schema>(schema: S) {
  return { anyOf: [schema, { const: '' }] } as const
}

/** Options of every submission of the family, at any place where upstream has them. */
export const taskOptions = {
  callback_url: callbackUrl,
  external_task_id: optional({
    type: 'string',
    description: 'A name of the caller’s own for the task, unique within the account.',
  }),
  watermark_info: {
    type: 'object',
    properties: {
      enabled: optional({
        type: 'boolean',
        description: 'Default false; true adds a watermark_url to the output.',
      }),
    },
  },
} as const

/** The envelope of every successful reply (Spec, "Family K: objects" 1). */
export function envelope(data: Schema): Schema {
  return exactly({
    code: { type: 'integer', const: 0 },
    message: { type: 'string', const: 'SUCCEED' },
    request_id: { type: 'string' },
    data,
  })
}

export const taskId = { type: 'string', pattern: '^\\d{17,19}$' } as const satisfies Schema

/** The length of a video in replies. */
export const secondsText = { type: 'string', pattern: '^\\d+\\.\\d{3}$', description: 'Seconds.' } as const

/** Epoch milliseconds (K-ids). */
export const moment = { type: 'integer', minimum: 0 } as const satisfies Schema

/** The task object of avatars, voices and presets: its result is a list, empty before it succeeds (Spec, "Family K: objects" 2). */
export function legacyTaskSchema(list: string, item: RecordSchema): Schema {
  return exactly(
    {
      task_id: { type: 'string', minLength: 1 },
      task_status: { type: 'string', enum: ['submitted', 'processing', 'succeed', 'failed'] },
      task_status_msg: { type: 'string', description: 'Why it failed; empty otherwise.' },
      task_result: exactly({}, { [list]: { type: 'array', items: item } }),
      created_at: moment,
      updated_at: moment,
    },
    {
      task_info: taskInfo,
    },
  )
}

const taskInfo = exactly({}, { external_task_id: text })

/** The reply to a submission of the older shapes. */
export const legacyCreateReply: Schema = envelope(
  exactly({
    task_id: taskId,
    task_status: { type: 'string', const: 'submitted' },
    task_info: taskInfo,
    created_at: moment,
    updated_at: moment,
  }),
)

const codeText = { ...text, description: 'Upstream’s number, as a string.' } as const

export const errorBody: Schema = exactly({
  error: exactly({ code: codeText, message: text, param: text, type: text }),
})
