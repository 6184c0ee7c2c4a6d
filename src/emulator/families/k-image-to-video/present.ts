import type { Fault, FaultError } from '../../faults/fault.ts'
import { type Call, ok, type Reply } from '../../pipeline/endpoint.ts'
import type { Seen } from '../../tasks/commands.ts'
import type { Task, TaskError } from '../../worlds/task.ts'
import type { Dialect } from '../family.ts'
import { resultLink } from '../result-link.ts'
import { words } from './facts.ts'
import { durationText, files, type ImageToVideoJob } from './job.ts'
import { errorBody } from './schema.ts'

type Wire = readonly [status: number, code: string, type: string]

const badRequest = 'invalid_request_error'

/**
 * HTTP status, upstream's number and type for each fault (K-errors). The specification declares "4xx responses" without details.
 */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, '1201', badRequest],
  missing_parameter: [400, '1201', badRequest],
  invalid_json: [400, '1200', badRequest],
  invalid_content_type: [400, '1200', badRequest],
  // The model is part of the path, and upstream answers an unknown path with 404 (A-unknown-model).
  unknown_model: [404, '1203', badRequest],
  unauthenticated: [401, '1002', 'authentication_error'],
  forbidden_model: [403, '1103', 'permission_error'],
  moderated: [403, '1301', 'content_policy_error'],
  insufficient_balance: [403, '1102', 'insufficient_quota'],
  // Upstream answers an unknown task with 400 and 1201, not with 404.
  not_found: [400, '1201', badRequest],
  method_not_allowed: [405, '1202', badRequest],
  not_operable: [400, '1201', badRequest],
  not_implemented: [501, '1202', badRequest],
  too_large: [413, '1201', badRequest],
  rate_limited: [429, '1302', 'rate_limit_error'],
  unavailable: [503, '5001', 'server_error'],
  internal: [500, '5000', 'server_error'],
}

/** The error body of family K: `{error:{code, message, param, type}}` (Spec, "Errors"). */
export const dialect: Dialect = {
  error({ fault, detail }) {
    const [status, code, type] = wire[fault]
    return {
      status,
      body: {
        error: {
          code: detail.code ?? code,
          message: detail.message ?? messageOf({ fault, detail }),
          param: detail.param ?? '',
          type,
        },
      },
    }
  },
  requestId: random => random.uuid(),
  errorSchema: errorBody,
}

function messageOf({
  fault,
  detail: { param = '', reason = '' },
}: Pick<FaultError, 'fault' | 'detail'>): string {
  const because = reason && `: ${reason}`
  const parameter = param ? `Parameter ${param}` : 'A parameter'
  const messages: Readonly<Record<Fault, string>> = {
    invalid_parameter: `${parameter} is invalid${because}`,
    unknown_model: `${parameter} is invalid${because}`,
    missing_parameter: `${parameter} is required`,
    invalid_json: `The request body is not a valid JSON object${because}`,
    invalid_content_type: `The header ${param || 'Content-Type'} is invalid${because}`,
    unauthenticated: `Authentication failed, the API key is missing or invalid${because}`,
    forbidden_model: `No permission to access the requested resource${because}`,
    moderated: `The request was refused by content moderation${because}`,
    insufficient_balance: `Account balance not enough${because}`,
    not_found: reason || 'The requested resource does not exist',
    method_not_allowed: `The method is not allowed on this path${because}`,
    not_operable: reason || 'The operation is not possible',
    not_implemented: reason || 'The operation is not possible',
    too_large: `The request body is too large${because}`,
    rate_limited: `The rate limit of the account was exceeded, please try again later${because}`,
    unavailable: 'The service is temporarily unavailable, please try again later',
    internal: `Internal server error${because}`,
  }
  return messages[fault]
}

const failureMessages: Readonly<Record<string, string>> = {
  1301: 'Failure to pass the risk control system',
  1201: 'Image pixel is invalid',
  5000: 'Internal server error',
  5002: 'Internal service timeout',
}

/**
 * Fills in the code or message of a failure that a scenario gives only in part. Records show only the message, so it contains an
 * unknown code.
 */
export function failureOf({ code = '5000', message }: Partial<TaskError>): TaskError {
  return { code, message: message ?? failureMessages[code] ?? `The task failed (${code})` }
}

/** A successful reply: `{code: 0, message: "SUCCEED", request_id, data}`, also when the data describe a failed task. */
export function succeed({ requestId }: Pick<Call, 'requestId'>, data: unknown): Reply {
  return ok({ code: 0, message: 'SUCCEED', request_id: requestId, data })
}

/**
 * An avatar, voice or preset task with its result (Spec, "Family K: objects" 2). Without a result it is {}, as upstream has it.
 */
export function legacyTask({ task, view }: Seen, result: object) {
  return {
    task_id: task.id,
    task_status: words(task)[view.status],
    task_status_msg: view.error?.message ?? '',
    ...(task.externalId !== undefined && { task_info: taskInfo(task) }),
    task_result: result,
    created_at: task.createdAt,
    updated_at: view.since,
  }
}

/** The reply to the submission of an avatar, voice or preset. */
export function legacyCreated(task: Task) {
  return {
    task_id: task.id,
    task_status: 'submitted',
    task_info: taskInfo(task),
    created_at: task.createdAt,
    updated_at: task.createdAt,
  }
}

function taskInfo({ externalId }: Task) {
  return externalId === undefined ? {} : { external_task_id: externalId }
}

/** The `data` of a create reply: the task starts `submitted` (Spec, "Family K: objects" 1). */
export function created(task: Task) {
  return {
    id: task.id,
    status: 'submitted',
    create_time: task.createdAt,
    update_time: task.createdAt,
    ...(task.externalId !== undefined && { external_id: task.externalId }),
  }
}

/** Addresses of a succeeded task's files. One is absent when it was not requested, or when a scenario leaves it out. */
interface VideoLinks {
  video: string | undefined
  watermark: string | undefined
}

export function linksOf(call: Call, seen: Seen): VideoLinks {
  return { video: resultLink(call, files, seen), watermark: resultLink(call, files, seen, 'watermark') }
}

/** One item of the batch query (Spec, "Family K: objects" 3). */
export function batchItem({ task, view }: Seen, links: VideoLinks) {
  return {
    id: task.id,
    status: words(task)[view.status],
    ...(view.error && { message: view.error.message }),
    create_time: task.createdAt,
    update_time: view.since,
    ...(task.externalId !== undefined && { external_id: task.externalId }),
    outputs: view.status === 'succeeded' ? [videoOutput(task, links, 'video')] : [],
  }
}

/** A video in outputs and in avatar results; only outputs have a `type`. */
export function videoOutput(task: Task, { video, watermark }: VideoLinks, type?: 'video') {
  const job = task.job as ImageToVideoJob
  if (job.kind !== 'video') throw new Error(`The task ${task.id} has no video`)
  return {
    ...(type && { type }),
    id: job.outputId,
    ...(video !== undefined && { url: video }),
    ...(watermark !== undefined && { watermark_url: watermark }),
    duration: durationText(job),
  }
}
