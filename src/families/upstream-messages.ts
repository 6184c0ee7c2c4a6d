import type { FaultError } from '../faults/fault-error.ts'
import type { Random } from '../worlds/random.ts'

/* Family A and the images emulate the same upstream service. Their messages are the same; each has its own error body. */

/** The message of a failed task when the scenario gives no reason. */
export const standardFailure = 'The service encountered an unexpected internal error.'

/** The form seen upstream: "02", the time in milliseconds, then hex digits. */
export function requestId(random: Random, nowMs: number): string {
  return `02${nowMs}${random.hex(35)}`
}

/** Upstream's message for a fault, without the request id at its end. */
export function messageOf({ fault, detail }: Pick<FaultError, 'fault' | 'detail'>): string {
  const reason = detail.reason ?? ''
  const because = reason && `: ${reason}`
  switch (fault) {
    case 'invalid_parameter':
    case 'unknown_model':
      return `${detail.param ? `The parameter \`${detail.param}\`` : 'A parameter'} specified in the request is not valid${because}.`
    case 'missing_parameter':
      return `The request failed because it is missing ${detail.param ? `\`${detail.param}\`` : 'a'} parameter.`
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
      return reason ? `${reason}.` : 'The requested resource was not found.'
    case 'method_not_allowed':
      return `The method is not allowed on this path${because}.`
    case 'not_operable':
      return `${reason || 'The action is not possible'}.`
    case 'not_implemented':
      return `${reason || 'The operation is not implemented'}.`
    case 'too_large':
      return `The request body is too large${because}.`
    case 'rate_limited':
      return `The account's rate limit was exceeded${because}. Please try again later.`
    case 'unavailable':
      return 'The service is temporarily unavailable. Please try again later.'
    case 'internal':
      return reason ? `The service encountered an internal error${because}.` : standardFailure
  }
}
