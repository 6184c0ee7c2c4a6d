/** What can go wrong, in neutral words. Each family's `present.ts` turns it into the error of its API. */
export const faults = [
  'invalid_parameter',
  'missing_parameter',
  'invalid_json',
  'invalid_content_type',
  'unknown_model',
  'unauthenticated',
  'forbidden_model',
  'moderated',
  'insufficient_balance',
  'not_found',
  'method_not_allowed',
  'not_operable',
  'not_implemented',
  'too_large',
  'rate_limited',
  'unavailable',
  'internal',
] as const

export type Fault = (typeof faults)[number]

/** What is known about a fault. `reason` says what is wrong, with the value and what is allowed, without a full stop at the end. */
export interface FaultDetail {
  /** The path of the parameter, as a caller writes it: `duration`, `content[1].image_url.url`. */
  param?: string
  reason?: string
  /** What to send instead, for callers of the control API. */
  hint?: string
  /** A more precise code of the family than the fault's usual one. */
  code?: string
  /** The whole message, where the upstream's wording is known exactly. */
  message?: string
  /** Virtual milliseconds after which to try again. */
  retryAfterMs?: number
  /** Methods that the path allows, for `method_not_allowed`. */
  allow?: readonly string[]
  /** The scenario or tag rule that caused it. */
  rule?: string
}

/** A refusal. Thrown by rules and commands anywhere below `app.ts`, turned into a reply in one place. */
export class ApiError extends Error {
  readonly fault: Fault
  readonly detail: FaultDetail

  constructor(fault: Fault, detail: FaultDetail = {}) {
    super(detail.message ?? detail.reason ?? fault)
    this.name = 'ApiError'
    this.fault = fault
    this.detail = detail
  }
}

/** A parameter whose value is not allowed. */
export function invalid(param: string, reason: string, code?: string): ApiError {
  return new ApiError('invalid_parameter', { param, reason, ...(code && { code }) })
}

/** A required parameter that is not there. */
export function missing(param: string): ApiError {
  return new ApiError('missing_parameter', { param })
}

/** A value as an error message shows it: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** A list of allowed values as an error message shows it. */
export function oneOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'and no value is allowed'
  return `must be one of ${values.map(value => (typeof value === 'string' ? value : shown(value))).join(', ')}`
}
