import type { Fault } from '../faults/fault.ts'
import type { FaultError } from '../faults/fault-error.ts'
import type { Random } from '../worlds/random.ts'

/* Family A and the images emulate the same upstream service. Their messages are the same; each has its own error body. */

/** The message of a failed task when the scenario gives no reason. */
export const standardFailure = 'The service encountered an unexpected internal error.'

export type UpstreamWire = readonly [status: number, code: string]

/** HTTP status and code for each fault. Where the specification is silent, upstream's values. */
export const upstreamWire: Readonly<Record<Fault, UpstreamWire>> = {
  invalid_parameter: [400, 'InvalidParameter'],
  missing_parameter: [400, 'MissingParameter'],
  invalid_json: [400, 'InvalidParameter'],
  invalid_content_type: [400, 'InvalidParameter'],
  unknown_model: [400, 'InvalidParameter.UnknownModel'],
  unauthenticated: [401, 'AuthenticationError'],
  forbidden_model: [403, 'AccessDenied'],
  moderated: [403, 'InputTextSensitiveContentDetected'],
  insufficient_balance: [403, 'AccountOverdueError'],
  not_found: [404, 'ResourceNotFound'],
  method_not_allowed: [405, 'MethodNotAllowed'],
  not_operable: [409, 'InvalidAction'],
  not_implemented: [501, 'NotImplemented'],
  too_large: [413, 'RequestTooLarge'],
  rate_limited: [429, 'AccountRateLimitExceeded'],
  unavailable: [503, 'ServiceUnavailable'],
  internal: [500, 'InternalServiceError'],
}

/** The form seen upstream: "02", the time in milliseconds, then hex digits. */
export function requestId(random: Random, nowMs: number): string {
  return `02${nowMs}${random.hex(35)}`
}

/** Upstream's message for a fault, without the request id at its end. */
export function messageOf({
  fault,
  detail: { param, reason = '' },
}: Pick<FaultError, 'fault' | 'detail'>): string {
  const because = reason && `: ${reason}`
  const invalid = `${param ? `The parameter \`${param}\`` : 'A parameter'} specified in the request is not valid${because}.`
  const messages: Readonly<Record<Fault, string>> = {
    invalid_parameter: invalid,
    unknown_model: invalid,
    missing_parameter: `The request failed because it is missing ${param ? `\`${param}\`` : 'a'} parameter.`,
    invalid_json: `The request body is not a valid JSON object${because}.`,
    invalid_content_type: `The header \`${param || 'Content-Type'}\` is not valid${because}.`,
    unauthenticated: `The API key in the request is missing or invalid${because}.`,
    forbidden_model: `Access denied${because}.`,
    moderated: reason
      ? `The request was refused by content moderation: ${param ? `the parameter \`${param}\`: ` : ''}${reason}.`
      : 'The request was refused by content moderation because the input may contain sensitive information.',
    insufficient_balance: `The account's balance does not suffice${because}.`,
    not_found: reason ? `${reason}.` : 'The requested resource was not found.',
    method_not_allowed: `The method is not allowed on this path${because}.`,
    not_operable: `${reason || 'The action is not possible'}.`,
    not_implemented: `${reason || 'The operation is not implemented'}.`,
    too_large: `The request body is too large${because}.`,
    rate_limited: `The account's rate limit was exceeded${because}. Please try again later.`,
    unavailable: 'The service is temporarily unavailable. Please try again later.',
    internal: reason ? `The service encountered an internal error${because}.` : standardFailure,
  }
  return messages[fault]
}
