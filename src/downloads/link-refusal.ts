import { ApiError, type Fault } from '../http/errors.ts'
import { refusalHeaders } from '../http/respond.ts'
import { proxyPage } from '../scenarios/proxy-page.ts'
import type { Effects, Refusal } from '../scenarios/scenario.ts'

interface Detail {
  headers?: Record<string, string> | undefined
  /** A body of a scenario's own instead of the XML. */
  body?: unknown
  effects?: Effects | undefined
  /** True for the page of a proxy in between, which has none of the store's own headers. */
  isFromProxy?: true
}

/** Why a link gives no file, as object stores say it: XML with a code. */
export class LinkRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly detail: Detail

  constructor(status: number, code: string, message: string, detail: Detail = {}) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

type Wire = readonly [status: number, code: string, message: string]

/** How an object store words each fault that a scenario may name. */
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

/** What a scenario's `refuse` makes of a download. */
export function scriptedRefusal(refusal: Refusal, effects: Effects): LinkRefusal {
  const { proxyPage: page } = refusal
  if (page !== undefined) {
    const headers = refusalHeaders(refusal)
    return new LinkRefusal(page, 'ProxyPage', '', {
      effects,
      headers,
      body: proxyPage(page),
      isFromProxy: true,
    })
  }
  const { fault = 'internal', status, message, body } = refusal
  const [faultStatus, code, standard] = wire[fault]
  return new LinkRefusal(status ?? faultStatus, code, message ?? standard, {
    headers: refusalHeaders(refusal),
    effects,
    ...(status !== undefined && { body: body ?? '' }),
  })
}

/** A refusal for whatever was thrown on the way to a file; undefined when it is a fault of ours that must be logged. */
export function refusalOf(thrown: unknown): LinkRefusal | undefined {
  if (thrown instanceof LinkRefusal) return thrown
  if (!(thrown instanceof ApiError)) return undefined
  const [status, code, standard] = wire[thrown.fault]
  return new LinkRefusal(status, code, thrown.detail.reason ?? standard)
}

/** Type and text of a refusal's body. */
export function refusalBody(refusal: LinkRefusal, requestId: string): { type: string; text: string } {
  const { body } = refusal.detail
  if (typeof body === 'string') return { type: 'text/plain; charset=utf-8', text: body }
  if (body !== undefined) return { type: 'application/json; charset=utf-8', text: JSON.stringify(body) }
  const told = `<Code>${refusal.code}</Code><Message>${escaped(refusal.message)}</Message><RequestId>${requestId}</RequestId>`
  return { type: 'application/xml', text: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${told}</Error>\n` }
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
}
