import type { Fault, FaultError } from '../../faults/fault.ts'
import type { Task, TaskError, View } from '../../worlds/task.ts'
import type { Dialect } from '../family.ts'
import { type GenerationJob, jobOf } from './job.ts'
import { errorBody } from './schema.ts'
import { facts, type Variant } from './variants.ts'

type Wire = readonly [status: number, type: string, code: number]

/** HTTP status, type and upstream's internal number for each fault (C-errors). */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, 'bad_request_error', 2013],
  missing_parameter: [400, 'bad_request_error', 2013],
  invalid_json: [400, 'bad_request_error', 2013],
  invalid_content_type: [400, 'bad_request_error', 2013],
  unknown_model: [400, 'bad_request_error', 2013],
  unauthenticated: [401, 'authorized_error', 1004],
  forbidden_model: [403, 'permission_error', 2013],
  moderated: [403, 'permission_error', 1026],
  insufficient_balance: [403, 'insufficient_balance_error', 1008],
  not_found: [404, 'not_found_error', 2013],
  method_not_allowed: [405, 'bad_request_error', 2013],
  not_operable: [400, 'bad_request_error', 2013],
  not_implemented: [501, 'not_implemented_error', 2013],
  too_large: [413, 'bad_request_error', 2013],
  rate_limited: [429, 'rate_limit_error', 1002],
  unavailable: [503, 'overloaded_error', 1033],
  internal: [500, 'server_error', 1000],
}

/** The error body of a variant: `{type, error:{type, message, http_code}, request_id}` (Spec, "Errors"). */
export function dialectOf(variant: Variant): Dialect {
  return {
    error(error, { requestId }) {
      const [status, type, code] = wireOf(error.fault, variant)
      const message = error.detail.message ?? messageOf(error)
      return {
        status,
        body: {
          type: 'error',
          error: { type, message: numbered(message, code), http_code: String(status) },
          request_id: requestId,
        },
      }
    },
    // The form seen upstream: "02", the time in seconds, then hex digits.
    requestId: (random, nowMs) => `02${String(Math.floor(nowMs / 1000)).padStart(10, '0')}${random.hex(20)}`,
    errorSchema: errorBody,
  }
}

function wireOf(fault: Fault, { unknownTask, unknownModel }: Variant): Wire {
  if (fault === 'not_found') return [...unknownTask, wire.not_found[2]]
  return fault === 'unknown_model' ? [...unknownModel, wire.unknown_model[2]] : wire[fault]
}

/** Upstream's messages end with its internal code. */
function numbered(message: string, code: number): string {
  return /\(\d+\)$/.test(message) ? message : `${message} (${code})`
}

function messageOf({
  fault,
  detail: { reason = '', param = '' },
}: Pick<FaultError, 'fault' | 'detail'>): string {
  const because = reason && `: ${reason}`
  const about = [param, reason].filter(Boolean).join(': ')
  const invalid = `invalid params${about && `, ${about}`}`
  const unsupported = reason || 'the operation is not supported'
  const messages: Readonly<Record<Fault, string>> = {
    invalid_parameter: invalid,
    unknown_model: invalid,
    invalid_content_type: invalid,
    missing_parameter: `invalid params, ${param || 'a parameter'} is required`,
    invalid_json: `invalid params, the body is not a valid JSON object${because}`,
    unauthenticated: `login fail: Please carry the API secret key in the 'Authorization' field of the request header${because}`,
    forbidden_model: `no permission${because || ': this token may not use the model'}`,
    moderated: reason
      ? `input contains sensitive content: ${about}`
      : 'video description contains sensitive content',
    insufficient_balance: `insufficient balance${because}`,
    not_found: `invalid ${param || 'task_id'}`,
    method_not_allowed: `method not allowed${because}`,
    not_operable: unsupported,
    not_implemented: unsupported,
    too_large: `request body too large${because}`,
    rate_limited: `rate limit, please retry later${because}`,
    unavailable: 'the service is overloaded, please retry later',
    internal: `internal error${because}`,
  }
  return messages[fault]
}

const failureMessages: Readonly<Record<string, string>> = {
  '1000': 'internal error',
  '1001': 'timeout',
  '1002': 'rate limit',
  '1024': 'internal error',
  '1026': 'video description contains sensitive content',
  '1027': 'generated video contains sensitive content',
  '1033': 'downstream service error',
}

/** Fills in the code or message of a failure that a scenario gives only in part. Codes are strings of digits. */
export function failureOf({ code = '1000', message }: Partial<TaskError>): TaskError {
  return { code, message: message ?? failureMessages[code] ?? 'the task failed' }
}

/** The task object (Spec, "Family C and C-special: task object"). A key without a value is absent. */
export function taskObject({ task, view }: { task: Task; view: View }, url: string | undefined) {
  const job = jobOf(task)
  return {
    id: task.id,
    model: task.model,
    status: facts.words[view.status] ?? view.status,
    ...(view.error && { error: view.error }),
    created_at: Math.floor(task.createdAt / 1000),
    updated_at: Math.floor(view.since / 1000),
    ...(view.status === 'succeeded' && contentOf(job, url)),
    ...(job.taskType !== 'h3_context_ir' && { resolution: job.resolution }),
    duration: job.seconds,
    ...(view.status === 'succeeded' && { usage: usageOf(job) }),
    // Upstream also reports the usage of failed tasks: zero.
    ...(view.status === 'failed' && { usage: zeros(usageOf(job)) }),
    ratio: job.ratio,
    task_type: job.taskType,
    modality: job.taskType === 'h3_context_ir' ? 'text' : 'video',
  }
}

function contentOf(job: GenerationJob, url: string | undefined) {
  if (job.taskType === 'h3_context_ir') return { content: { prompt: job.enhanced } }
  return url === undefined ? {} : { content: { url } }
}

/** C-usage. Spec, C-special `h3_context_ir`: "no official token usage is produced", so the usage is absent there. */
function usageOf(job: GenerationJob): Record<string, number> {
  if (job.taskType !== 'h3_context_ir')
    return {
      total_seconds: job.inputSeconds + job.seconds,
      input_seconds: job.inputSeconds,
      output_seconds: job.seconds,
      input_image_count: job.inputImages,
    }
  if (!job.tokens) return {}
  const { prompt, completion } = job.tokens
  return { total_tokens: prompt + completion, prompt_tokens: prompt, completion_tokens: completion }
}

function zeros(usage: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(usage).map(key => [key, 0]))
}
