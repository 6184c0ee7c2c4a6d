/** All faults, with neutral names. Each family's `present.ts` turns a fault into the error of its API. */
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

/** The details of a fault. `reason` describes the error, with the value and the allowed values, without a full stop at the end. */
export interface FaultDetail {
  /** The path of the parameter, as a caller writes it: `duration`, `content[1].image_url.url`. */
  param?: string
  reason?: string
  /** What to send instead, for callers of the control API. */
  hint?: string
  /** For `unknown_model`: the answer that the option `--unknown-model` asks for, when it is not the usual one. */
  answer?: 'not_found' | 'unavailable'
  /** A more precise code of the family than the fault's usual one. */
  code?: string
  /** What the fault is about, where some families have a code of their own for it. */
  about?: 'real_face' | 'false_label'
  /** The whole message, where the upstream's wording is known exactly. */
  message?: string
  /** Virtual milliseconds after which to try again. */
  retryAfterMs?: number
  /** Methods that the path allows, for `method_not_allowed`. */
  allow?: readonly string[]
}

/** A refusal: thrown by rules and by commands on tasks, and turned into a reply in one place. It knows nothing of HTTP. */
export class FaultError extends Error {
  readonly fault: Fault
  readonly detail: FaultDetail

  constructor(fault: Fault, detail: FaultDetail = {}) {
    super(detail.message ?? detail.reason ?? fault)
    this.name = 'FaultError'
    this.fault = fault
    this.detail = detail
  }

  /** What is wrong, with the parameter in front, as the control API and its tools say it. */
  get sentence(): string {
    const { param, reason } = this.detail
    if (this.fault === 'missing_parameter') return `${param} is required`
    return [param, reason ?? this.message].filter(Boolean).join(': ')
  }
}

/** A parameter whose value is not allowed. */
export function invalid(param: string, reason: string, code?: string): FaultError {
  return new FaultError('invalid_parameter', { param, reason, ...(code && { code }) })
}

/** A required parameter that was not sent. */
export function missing(param: string): FaultError {
  return new FaultError('missing_parameter', { param })
}
