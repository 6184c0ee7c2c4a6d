import type { FaultDetail } from '../../faults/fault.ts'
import type { Task, TaskError, View } from '../../worlds/task.ts'
import {
  type Dialect,
  messageOf,
  requestId,
  standardFailure,
  type UpstreamWire,
  upstreamWire,
} from '../family.ts'
import { type ContentsJob, fps, tokensOf } from './job.ts'
import { facts, models } from './models.ts'
import { errorBody } from './schema.ts'

/** The only service tier (A-forbidden). */
export const serviceTier = 'default'

/** `type` in the error body, by status. */
const types: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'BadRequest',
  409: 'Conflict',
  413: 'BadRequest',
  429: 'TooManyRequests',
}

/**
 * What others answer for a model that does not exist (A-unknown-model): the upstream, and relays in front of it. The code of
 * `unknown_model` in the table of faults is invented.
 */
const unknownModel: Readonly<
  Record<NonNullable<FaultDetail['answer']>, readonly [...UpstreamWire, type: string, message: string]>
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
    const [status, code, type, general] = detail.answer ? unknownModel[detail.answer] : upstreamWire[fault]
    const message = general
      ? `${general}: ${detail.reason}.`
      : (detail.message ?? messageOf({ fault, detail }))
    return {
      status,
      body: {
        error: {
          code: (detail.about && inputCode(detail.about, detail.param)) ?? detail.code ?? code,
          message: `${message} Request id: ${envelope.requestId}`,
          param: detail.param ?? '',
          type: type ?? types[status] ?? 'InternalServerError',
        },
      },
    }
  },
  requestId,
  errorSchema: errorBody,
}

/** Upstream has a code for a face in a video, one for a face in a picture, and one for a picture with a false label (A-labels). */
function inputCode(about: NonNullable<FaultDetail['about']>, param = ''): string | undefined {
  const isVideo = param.includes('video_url')
  if (about === 'real_face')
    return `Input${isVideo ? 'Video' : 'Image'}SensitiveContentDetected.PrivacyInformation`
  return param.includes('image_url') ? 'InvalidParameter.UnsupportedImageFormat' : undefined
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
    status: facts.words[view.status],
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
    ...(models[job.modelId]?.formats.length && { output_format: job.container }),
  }
}
