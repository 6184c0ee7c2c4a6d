import type { Fault } from '../../emulator/words.ts'
import { messageIn, type RequestView } from '../../kits/views.ts'

/** What each kind of refusal means for the caller, as the second half of a sentence. */
const meanings: Readonly<Partial<Record<string, string>>> = {
  invalid_parameter: 'a field has a value that this model or mode does not take',
  missing_parameter: 'a required field was not sent',
  invalid_json: 'the body is not a valid JSON object',
  invalid_content_type: 'the body was not sent as application/json',
  unknown_model: 'no model has this name',
  unauthenticated: 'the key is missing, malformed, or belongs to a disabled account',
  forbidden_model: 'the account may not use this model',
  moderated: 'moderation refused the content',
  insufficient_balance: 'the account’s balance is lower than the price',
  not_found:
    'this account has no such task in this family: it does not exist, belongs to another account, was removed, or is too old',
  not_operable: 'the state of the task does not allow it',
  too_large: 'the body or a file is larger than allowed',
  rate_limited: 'the account had sent too many requests within a minute',
  not_implemented: 'the service does not offer this',
  method_not_allowed: 'the path exists, but not with this method',
  unavailable: 'the service is unavailable',
  internal: 'the service failed inside',
} satisfies Record<Fault, string>

/** The cause of a refusal. Of one that a rule made up, nothing is true but that the rule answered. */
function meaningOf(fault: string | undefined, isMadeUp: boolean): string {
  const meaning = meanings[fault ?? ''] ?? 'the request was refused'
  return isMadeUp ? `A rule answered as if ${meaning}.` : `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`
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
export function whyRefused({ status, fault, rule, scripted, response }: RequestView): Why | undefined {
  if (status < 400 && fault === undefined) return undefined
  const said = messageIn(response.body)
  return { meaning: meaningOf(fault, scripted === true), said, rule: scripted ? rule : undefined }
}
