import type { ApiError, Fault } from '../../http/errors.ts'
import type { Status, Task, TaskError } from '../../tasks/task.ts'
import type { Dialect } from '../family.ts'
import { type Job, type Picture, picturesOf, tokensOf } from './job.ts'
import { errorBody, type GenerateReply } from './schema.ts'

/** No endpoint tells a status; these are for the control API. */
export const words: Readonly<Partial<Record<Status, string>>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
}

/** Status and code by fault (Spec, "Errors", Image). */
const wire: Readonly<Record<Fault, readonly [status: number, code: string]>> = {
  invalid_parameter: [400, 'InvalidParameter'],
  missing_parameter: [400, 'InvalidParameter'],
  invalid_json: [400, 'InvalidParameter'],
  invalid_content_type: [400, 'InvalidParameter'],
  unknown_model: [400, 'InvalidParameter'],
  unauthenticated: [401, 'AuthenticationError'],
  forbidden_model: [403, 'AccessDenied'],
  moderated: [403, 'InputTextSensitiveContentDetected'],
  insufficient_balance: [403, 'AccountOverdueError'],
  not_found: [404, 'ResourceNotFound'],
  method_not_allowed: [405, 'MethodNotAllowed'],
  not_operable: [409, 'InvalidAction'],
  not_implemented: [501, 'NotImplemented'],
  too_large: [413, 'RequestTooLarge'],
  rate_limited: [429, 'RateLimitExceeded'],
  unavailable: [503, 'ServiceUnavailable'],
  internal: [500, 'InternalServiceError'],
}

const realFaceCode = 'InputImageSensitiveContentDetected.PrivacyInformation'

/** How the image operation says that something went wrong: `{error:{code, message}}` (Spec, "Errors"). */
export const dialect: Dialect = {
  error({ fault, detail }, { requestId }) {
    const [status, code] = wire[fault]
    const message = `${detail.message ?? messageOf({ fault, detail })} Request id: ${requestId}`
    const given = detail.code === 'real_face' ? realFaceCode : detail.code
    return { status: statusOf(given) ?? status, body: { error: { code: given ?? code, message } } }
  },
  // Seen upstream: "02", the time in milliseconds, then hex.
  requestId: (random, nowMs) => `02${nowMs}${random.hex(35)}`,
  errorSchema: errorBody,
}

/** A failed generation is answered at once, with the status that belongs to its code (Spec, "Errors": "code and message follow the real cause"). */
function statusOf(code: string | undefined): number | undefined {
  if (code === undefined) return undefined
  if (code.includes('SensitiveContentDetected')) return 403
  return Object.values(wire).find(([, known]) => known === code.split('.')[0])?.[0]
}

function messageOf({ fault, detail }: Pick<ApiError, 'fault' | 'detail'>): string {
  const reason = detail.reason ?? ''
  const because = reason && `: ${reason}`
  switch (fault) {
    case 'invalid_parameter':
    case 'unknown_model':
      return `The parameter \`${detail.param ?? ''}\` specified in the request is not valid${because}.`
    case 'missing_parameter':
      return `The request failed because it is missing \`${detail.param ?? ''}\` parameter.`
    case 'invalid_json':
      return `The request body is not valid JSON${because}.`
    case 'invalid_content_type':
      return `The header \`${detail.param ?? 'Content-Type'}\` is not valid${because}.`
    case 'unauthenticated':
      return `The API key in the request is missing or invalid${because}.`
    case 'forbidden_model':
      return `Access denied${because}.`
    case 'moderated':
      return reason
        ? `The request was refused by content moderation: the parameter \`${detail.param ?? ''}\`: ${reason}.`
        : 'The request was refused by content moderation because the input may contain sensitive information.'
    case 'insufficient_balance':
      return `The account's balance does not suffice${because}.`
    case 'not_found':
      return 'The requested resource was not found.'
    case 'method_not_allowed':
      return `The method is not allowed${because}.`
    case 'not_operable':
      return `The action is not possible${because}.`
    case 'not_implemented':
      return 'The operation is not implemented.'
    case 'too_large':
      return `The request body is too large${because}.`
    case 'rate_limited':
      return `The request was refused because the rate limit is exceeded${because}.`
    case 'unavailable':
      return 'The service is temporarily unavailable. Please try again later.'
    case 'internal':
      return reason
        ? `The service encountered an internal error${because}.`
        : failureMessages.InternalServiceError
  }
}

const failureMessages = {
  InternalServiceError: 'The service encountered an unexpected internal error.',
  OutputImageSensitiveContentDetected:
    'The request failed because the output image may contain sensitive information.',
} as const

/** What a failure tells where the scenario does not say it in full. */
export function failureOf({ code = 'InternalServiceError', message }: Partial<TaskError>): TaskError {
  const known = Object.entries(failureMessages).find(([name]) => name === code)?.[1]
  return { code, message: message ?? known ?? `The generation failed with ${code}.` }
}

type Item = GenerateReply['data'][number]

/** How one picture is handed over: a link, its bytes, or (a scenario's doing) nothing. */
export type Delivery = Pick<Item, 'url' | 'b64_json'>

/** The reply (Spec, "Image: request and response"). The base of a decomposition has neither box nor name (I-layers). */
export function generateReply(task: Task, deliveries: readonly Delivery[]): GenerateReply {
  const job = task.job as Job
  const pictures = picturesOf(task)
  const tokens = tokensOf(pictures)
  return {
    model: task.model,
    created: Math.floor(task.plan.endsAt / 1000),
    data: pictures.map((picture, index) =>
      itemOf(picture, { ...deliveries[index] }, job.mode === 'layers' ? index : undefined),
    ),
    usage: {
      input_images: job.inputs.length,
      generated_images: pictures.length,
      output_tokens: tokens,
      total_tokens: tokens,
    },
  }
}

function itemOf(
  { size: [width, height], format, box, name, description }: Picture,
  delivery: Delivery,
  zIndex: number | undefined,
): Item {
  return {
    ...delivery,
    size: `${width}x${height}`,
    output_format: format,
    ...(zIndex !== undefined && { z_index: zIndex }),
    ...(box && { bounding_box: { absolute: [...box.absolute], normalized: [...box.normalized] } }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}
