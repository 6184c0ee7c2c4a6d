import type { Fault, FaultError } from '../../faults/fault.ts'
import { transitions } from '../../tasks/lifecycle.ts'
import { inRange } from '../../worlds/clock.ts'
import type { Status, Task, TaskError, View } from '../../worlds/task.ts'
import type { Dialect } from '../family.ts'
import { fps, type SynthesisJob } from './job.ts'
import { facts } from './models.ts'
import { errorBody } from './schema.ts'

type Wire = readonly [status: number, code: string, message: string]

const parameterMessage = 'Required parameter(s) missing or invalid, please check the request parameters.'

/** HTTP status, code and upstream's message for each fault (B-errors). Details of the fault follow the message. */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, 'InvalidParameter', parameterMessage],
  missing_parameter: [400, 'InvalidParameter', parameterMessage],
  invalid_json: [400, 'BadRequest.IllegalInput', 'The input parameter requires json format.'],
  invalid_content_type: [400, 'BadRequest.IllegalInput', 'The input parameter requires json format.'],
  unknown_model: [400, 'InvalidParameter', 'Model not exist.'],
  unauthenticated: [401, 'InvalidApiKey', 'Invalid API-key provided.'],
  forbidden_model: [403, 'Model.AccessDenied', 'Model access denied.'],
  moderated: [403, 'DataInspectionFailed', 'Input data may contain inappropriate content.'],
  insufficient_balance: [
    403,
    'Arrearage',
    'Access denied, please make sure your account is in good standing.',
  ],
  not_found: [404, 'TaskNotFound', 'Task can not be found.'],
  method_not_allowed: [405, 'MethodNotAllowed', 'The request method is not supported.'],
  not_operable: [
    400,
    'UnsupportedOperation',
    'Failed to cancel the task, please confirm if the task is in PENDING status.',
  ],
  not_implemented: [501, 'NotImplemented', 'The operation is not implemented.'],
  too_large: [413, 'BadRequest.TooLarge', 'Payload Too Large.'],
  rate_limited: [429, 'Throttling.RateQuota', 'Requests rate limit exceeded, please try again later.'],
  unavailable: [503, 'ModelUnavailable', 'Model is unavailable, please try again later.'],
  internal: [
    500,
    'InternalError',
    'An internal error has occured, please try again later or contact service support.',
  ],
}

/** Top-level fields that have an error code of their own when they are missing. */
const emptyParts: Readonly<Record<string, readonly [code: string, message: string]>> = {
  model: ['BadRequest.EmptyModel', 'Required parameter "model" missing from request.'],
  input: ['BadRequest.EmptyInput', 'Required input parameter missing from request.'],
}

/** The error body of family B: `{code, message, request_id}` (Spec, "Errors"). */
export const dialect: Dialect = {
  error(error, { requestId }) {
    const [status, standardCode] = wire[error.fault]
    const [code, message] = codeAndMessageOf(error)
    return { status, body: { code: code ?? standardCode, message, request_id: requestId } }
  },
  requestId: random => random.uuid(),
  errorSchema: errorBody,
}

function codeAndMessageOf({ fault, detail }: FaultError): [code: string | undefined, message: string] {
  const [, , standard] = wire[fault]
  const { param = '', reason } = detail
  const { code } = detail
  if (detail.message !== undefined) return [code, detail.message]
  if (fault === 'missing_parameter') {
    const [emptyCode, emptyMessage] = emptyParts[param] ?? []
    return [code ?? emptyCode, emptyMessage ?? (param ? `Field required: ${param}` : standard)]
  }
  const about = [namingFaults.has(fault) ? param : '', reason].filter(Boolean).join(': ')
  return [code, about === '' ? standard : `${standard.replace(/\.$/, '')}: ${sentence(about)}`]
}

/** Faults whose message names the parameter, unless the reason already does. */
const namingFaults: ReadonlySet<Fault> = new Set(['invalid_parameter', 'moderated'])

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Fills in the code or message of a failure that a scenario gives only in part. */
export function failureOf({ code = 'InternalError', message }: Partial<TaskError>): TaskError {
  return { code, message: message ?? failureMessages[code] ?? 'The task failed.' }
}

const failureMessages: Readonly<Record<string, string>> = {
  InternalError: wire.internal[2],
  'InternalError.Algo': wire.internal[2],
  'InternalError.Upload': 'Failed to upload result.',
  'InternalError.Timeout':
    'An internal timeout error has occured during execution, please try again later or contact service support.',
  InvalidParameter: parameterMessage,
  DataInspectionFailed: 'Output data may contain inappropriate content.',
  'InvalidParameter.DataInspection':
    'Unable to download the media resource during the data inspection process.',
  IPInfringementSuspect: 'Input data is suspected of being involved in IP infringement.',
}

/** The query response (Spec, "Family B: query response"). A field is absent until its value is known (B-states). */
export function queryReply(
  { task, view }: { task: Task; view: View },
  { requestId, videoUrl }: { requestId: string; videoUrl: string | undefined },
) {
  const job = task.job as SynthesisJob
  const isDone = view.status === 'succeeded'
  return {
    request_id: requestId,
    output: {
      task_id: task.id,
      task_status: wordOf(view.status),
      ...timesOf(task, view),
      ...(isDone && { orig_prompt: job.prompt }),
      ...(isDone && videoUrl !== undefined && { video_url: videoUrl }),
      ...(view.error && { code: view.error.code, message: view.error.message }),
    },
    ...(isDone && { usage: usageOf(job) }),
  }
}

/** Spec, "Errors" rule 4: a missing or outdated task, or one of another account, is a 200 with the status UNKNOWN, not an error. */
export function unknownReply(taskId: string, requestId: string) {
  return { request_id: requestId, output: { task_id: taskId, task_status: facts.unknownWord } }
}

/** The wire's word for a status. Only a restored state document can give a task the status `expired`; it is shown as failed. */
export function wordOf(status: Status): string {
  return status === 'expired' ? facts.words.failed : facts.words[status]
}

/** When a task started and ended, virtual ms; a key is absent before its moment. */
export function momentsOf(task: Task, view: View): { startedAt?: number; endedAt?: number } {
  const started = transitions(task).find(({ to }) => to === 'running')
  const isOver = view.status !== 'queued' && view.status !== 'running'
  return {
    ...(started && view.status !== 'queued' && { startedAt: started.at }),
    ...(isOver && { endedAt: view.since }),
  }
}

function timesOf(task: Task, view: View) {
  const { startedAt, endedAt } = momentsOf(task, view)
  return {
    submit_time: wireTime(task.createdAt),
    ...(startedAt !== undefined && { scheduled_time: wireTime(startedAt) }),
    ...(endedAt !== undefined && { end_time: wireTime(endedAt) }),
  }
}

/** B-usage: `duration` is the billed length, input and output together. */
function usageOf({ seconds, inputSeconds, resolution, ratio }: SynthesisJob) {
  return {
    video_count: 1,
    duration: Math.round((inputSeconds + seconds) * 1000) / 1000,
    input_video_duration: inputSeconds,
    output_video_duration: seconds,
    fps,
    SR: Number.parseInt(resolution, 10),
    ratio,
  }
}

const zoneMs = 8 * 3_600_000

/** A moment as the wire writes it: `YYYY-MM-DD HH:MM:SS.mmm` in UTC+8, without a zone (B-times). */
function wireTime(ms: number): string {
  return new Date(inRange(ms + zoneMs)).toISOString().slice(0, 23).replace('T', ' ')
}

/** The moment of `YYYYMMDDhhmmss` in UTC+8; undefined when there is no such day or hour. */
export function readTime(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const ms = Date.parse(`${iso}.000Z`)
  // Date.parse lets the 31st of February pass as a day in March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(iso) ? undefined : ms - zoneMs
}
