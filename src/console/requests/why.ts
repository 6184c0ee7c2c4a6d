import { messageIn } from '../playground/refusal.ts'
import type { Entry } from '../store/shapes.ts'

/** What each kind of refusal means for the caller. */
const meanings: Readonly<Record<string, string>> = {
  invalid_parameter: 'A field has a value that this model or mode does not take.',
  missing_parameter: 'A required field was not sent.',
  invalid_json: 'The body is not valid JSON.',
  invalid_content_type: 'The body was not sent as application/json.',
  unknown_model: 'No model has this name.',
  unauthenticated: 'The key is missing, malformed, or belongs to a disabled account.',
  forbidden_model: 'The account may not use this model.',
  moderated: 'Moderation refused the content.',
  insufficient_balance: 'The account’s balance is lower than the price.',
  not_found:
    'This account has no such task in this family: it does not exist, belongs to another account, was removed, or is too old.',
  not_operable: 'The state of the task does not allow it.',
  too_large: 'The body or a file is larger than allowed.',
  rate_limited: 'Too many requests within a minute.',
  not_implemented: 'The service does not offer this.',
  method_not_allowed: 'The path exists, but not with this method.',
  unavailable: 'The service is unavailable.',
  internal: 'The service failed inside.',
}

/** A rule that acted, and the scenario that it belongs to. One-time rules (`inject-1`) and prompt tags (`prompt/fail`) belong to none. */
export interface NamedRule {
  name: string
  scenario: string | undefined
}

/** The rules in the `rule` of a journal entry or in `X-Emulator-Rule`: `slow-queue/1,prompt/fail`. */
export function rulesIn(names: string): NamedRule[] {
  return names.split(',').map(name => {
    const [, scenario] = /^([^/]+)\/\d+$/.exec(name) ?? []
    return { name, scenario }
  })
}

/** Why a request was refused: the kind of refusal, the message of the reply, and the rules that acted. */
export interface Why {
  meaning: string
  said: string | undefined
  rule: string | undefined
}

/** Undefined for a request that was not refused. */
export function whyRefused({ status, fault, rule, response }: Entry): Why | undefined {
  if (status < 400 && fault === undefined) return undefined
  const said = messageIn(response.body)
  return { meaning: meanings[fault ?? ''] ?? 'The request was refused.', said, rule }
}
