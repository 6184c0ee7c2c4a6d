import type { Fault } from '../faults/fault.ts'
import { FaultError } from '../faults/fault-error.ts'
import { type Headers, refusalHeaders } from '../http/headers.ts'
import type { Reply } from '../pipeline/endpoint.ts'

/** The refusal of a link in the form of object stores: XML with a code. */
export class LinkRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Headers

  constructor(status: number, code: string, message: string, headers: Headers = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

type Wire = readonly [status: number, code: string, message: string]

/** The status, code and message of an object store for each fault. */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, 'InvalidArgument', 'Invalid argument.'],
  missing_parameter: [400, 'InvalidArgument', 'A required argument is missing.'],
  invalid_json: [400, 'InvalidRequest', 'The request is not valid.'],
  invalid_content_type: [400, 'InvalidRequest', 'The request is not valid.'],
  unknown_model: [400, 'InvalidArgument', 'Invalid argument.'],
  unauthenticated: [403, 'SignatureDoesNotMatch', 'The signature does not match the link.'],
  forbidden_model: [403, 'AccessDenied', 'Access denied.'],
  moderated: [403, 'AccessDenied', 'Access denied.'],
  insufficient_balance: [403, 'UserDisable', 'The account is overdue.'],
  not_found: [404, 'NoSuchKey', 'The specified key does not exist.'],
  method_not_allowed: [405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.'],
  not_operable: [409, 'FileAlreadyExists', 'The object cannot be read in its present state.'],
  not_implemented: [
    501,
    'NotImplemented',
    'A header or query you provided implies functionality that is not implemented.',
  ],
  too_large: [413, 'EntityTooLarge', 'The request is too large.'],
  rate_limited: [429, 'TooManyRequests', 'Too many requests, please reduce your request rate.'],
  unavailable: [503, 'ServiceUnavailable', 'Please reduce your request rate.'],
  internal: [500, 'InternalError', 'We encountered an internal error. Please try again.'],
}

/** A thrown error as a link's refusal; undefined when it is a fault of the emulator. */
export function refusalOf(thrown: unknown): LinkRefusal | undefined {
  if (thrown instanceof LinkRefusal) return thrown
  if (!(thrown instanceof FaultError)) return undefined
  const [status, code, standard] = wire[thrown.fault]
  const { message, reason = standard, retryAfterMs } = thrown.detail
  const headers = refusalHeaders(retryAfterMs === undefined ? {} : { retryAfterMs })
  return new LinkRefusal(status, code, message ?? reason, headers)
}

/** A refusal as a reply. */
export function linkReplyOf({ status, code, message, headers }: LinkRefusal, requestId: string): Reply {
  const elements = `<Code>${code}</Code><Message>${escaped(message)}</Message><RequestId>${requestId}</RequestId>`
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements}</Error>\n`
  return { status, body: xml, headers: { 'Content-Type': 'application/xml', ...headers } }
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
}
