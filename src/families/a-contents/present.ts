import type { Fault, FaultDetail } from '../../faults/fault.ts'
import type { Status, Task, TaskError, View } from '../../worlds/task.ts'
import type { Dialect } from '../family.ts'
import { messageOf, requestId, standardFailure } from '../upstream-messages.ts'
import { type ContentsJob, fps, tokensOf } from './job.ts'
import { errorBody } from './schema.ts'

/** This family uses the emulator's own words for statuses. */
export const words: Readonly<Record<Status, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
}

/** The only service tier (A-forbidden). */
export const serviceTier = 'default'

type Wire = readonly [status: number, code: string, type: string]

/** HTTP status, code and type for each fault. Where the specification is silent, upstream's values. */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, 'InvalidParameter', 'BadRequest'],
  missing_parameter: [400, 'MissingParameter', 'BadRequest'],
  invalid_json: [400, 'InvalidParameter', 'BadRequest'],
  invalid_content_type: [400, 'InvalidParameter', 'BadRequest'],
  unknown_model: [400, 'InvalidParameter.UnknownModel', 'BadRequest'],
  unauthenticated: [401, 'AuthenticationError', 'Unauthorized'],
  forbidden_model: [403, 'AccessDenied', 'Forbidden'],
  moderated: [403, 'InputTextSensitiveContentDetected', 'Forbidden'],
  insufficient_balance: [403, 'AccountOverdueError', 'Forbidden'],
  not_found: [404, 'ResourceNotFound', 'NotFound'],
  method_not_allowed: [405, 'MethodNotAllowed', 'BadRequest'],
  not_operable: [409, 'InvalidAction', 'Conflict'],
  not_implemented: [501, 'NotImplemented', 'InternalServerError'],
  too_large: [413, 'RequestTooLarge', 'BadRequest'],
  rate_limited: [429, 'AccountRateLimitExceeded', 'TooManyRequests'],
  unavailable: [503, 'ServiceUnavailable', 'InternalServerError'],
  internal: [500, 'InternalServiceError', 'InternalServerError'],
}

/**
 * What others answer for a model that does not exist (A-unknown-model): the upstream, and relays in front of it. The code of
 * `unknown_model` above is invented.
 */
const unknownModel: Readonly<
  Record<NonNullable<FaultDetail['answer']>, readonly [...Wire, message: string]>
> = {
  not_found: [
    404,
    'InvalidEndpointOrModel.NotFound',
    'NotFound',
    'The model does not exist or you do not have access to it',
  ],
  unavailable: [503, 'model_not_found', 'ServiceUnavailable', 'No channel is available for this model'],
}

/** The error body of family A: `{error:{code, message, param, type}}` (Spec, "Errors"). */
export const dialect: Dialect = {
  error({ fault, detail }, envelope) {
    const [status, code, type, general] = detail.answer ? unknownModel[detail.answer] : wire[fault]
    const message = general
      ? `${general}: ${detail.reason}.`
      : (detail.message ?? messageOf({ fault, detail }))
    return {
      status,
      body: {
        error: {
          code: detail.code === 'real_face' ? realFaceCode(detail.param) : (detail.code ?? code),
          message: `${message} Request id: ${envelope.requestId}`,
          param: detail.param ?? '',
          type,
        },
      },
    }
  },
  requestId,
  errorSchema: errorBody,
}

/** Upstream has one code for a face in a video and another for a face in a picture. */
function realFaceCode(param = ''): string {
  const kind = param.includes('video_url') ? 'Video' : 'Image'
  return `Input${kind}SensitiveContentDetected.PrivacyInformation`
}

/** Fills in the code or message of a failure that a scenario gives only in part. */
export function failureOf({ code = 'InternalServiceError', message }: Partial<TaskError>): TaskError {
  return { code, message: message ?? failureMessages[code] ?? 'The task failed.' }
}

const failureMessages: Readonly<Record<string, string>> = {
  InternalServiceError: standardFailure,
  OutputVideoSensitiveContentDetected:
    'The request failed because the output video may contain sensitive information.',
  OutputAudioSensitiveContentDetected:
    'The request failed because the output audio may contain sensitive information.',
  'OutputVideoSensitiveContentDetected.PolicyViolation':
    'The request failed because the output video may be related to copyright restrictions.',
  'InvalidParameter.TaskTypeConstraint': 'The request does not meet the constraints of its task type.',
  'InvalidParameter.TaskTypeMismatch':
    'The declared omni_reference_task_type does not match the task type that was identified from the prompt.',
}

/** The query response (Spec, "Family A: task record"). A key without a value is absent, as at upstream. */
export function taskRecord(
  { task, view }: { task: Task; view: View },
  links: { video?: string | undefined; lastFrame?: string | undefined },
) {
  const job = task.job as ContentsJob
  const record = {
    id: task.id,
    model: task.model,
    status: words[view.status],
    created_at: Math.floor(task.createdAt / 1000),
    updated_at: Math.floor(view.since / 1000),
    service_tier: serviceTier,
    execution_expires_after: job.expiresAfterSeconds,
    generate_audio: job.audio,
    draft: false,
    priority: job.priority,
    ...(job.safetyIdentifier !== undefined && { safety_identifier: job.safetyIdentifier }),
  }
  if (view.error) {
    return {
      ...record,
      error: { code: view.error.code, message: `${view.error.message} Request id: ${task.requestId}` },
    }
  }
  return view.status === 'succeeded' ? { ...record, ...resultOf(task, job, links) } : record
}

function resultOf(
  task: Task,
  job: ContentsJob,
  { video, lastFrame }: { video?: string | undefined; lastFrame?: string | undefined },
) {
  const tokens = tokensOf(job)
  return {
    ...(video !== undefined && {
      content: { video_url: video, ...(lastFrame !== undefined && { last_frame_url: lastFrame }) },
    }),
    usage: { completion_tokens: tokens, total_tokens: tokens },
    seed: task.seed,
    resolution: job.resolution,
    ratio: job.ratio,
    duration: job.seconds,
    framespersecond: fps,
    ...(job.hasTaskTypes && { output_format: job.container }),
  }
}
