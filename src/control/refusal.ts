import type { Fault } from '../faults/fault.ts'
import { FaultError } from '../faults/fault-error.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { ControlError } from './control-error.ts'

/** The faults of the emulated API that have another status than 400 in the control API. */
const statuses: Readonly<Partial<Record<Fault, number>>> = {
  too_large: 413,
  not_operable: 409,
  not_found: 404,
  forbidden_model: 403,
  moderated: 403,
  insufficient_balance: 403,
  rate_limited: 429,
  not_implemented: 501,
  unavailable: 503,
  internal: 500,
}

/** Faults of a request that is wrong in itself. The control API has one code for them, whoever finds the mistake. */
const wrongRequest: readonly Fault[] = [
  'invalid_parameter',
  'missing_parameter',
  'invalid_json',
  'invalid_content_type',
]

/** A thrown error as a refusal of the control API; undefined for an internal error. */
export function controlErrorOf(error: unknown): ControlError | undefined {
  if (error instanceof ControlError) return error
  if (error instanceof ScenarioError) {
    const { message, path, hint } = error
    return new ControlError(400, 'bad_request', path ? `${path}: ${message}` : message, {
      ...(path && { path }),
      ...(hint && { hint }),
    })
  }
  if (!(error instanceof FaultError)) return undefined
  const { param, hint } = error.detail
  const code = wrongRequest.includes(error.fault) ? 'bad_request' : error.fault
  return new ControlError(statuses[error.fault] ?? 400, code, error.sentence, {
    ...(param && { path: param }),
    ...(hint && { hint }),
  })
}
