import type { Fault, FaultDetail } from './fault.ts'

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
