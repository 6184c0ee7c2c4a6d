import { type FailureRow, failuresIn } from './failure.ts'
import {
  documented,
  forbidden,
  limited,
  newTask,
  onCreates,
  outage,
  serverError,
  unknownTask,
} from './sources.ts'

const refuse = (fault: string, others: object = {}) => ({ refuse: { fault, ...others } })

/** Refusals: the operation answers with an error. */
// biome-ignore format: a table, one row a line
export const refusals: readonly FailureRow[] = failuresIn([
  ['rate_limited', 'refusal', 'passes', 'too many requests, with Retry-After', limited, refuse('rate_limited', { retry_after: '2s' })],
  ['rate_limited_bare', 'refusal', 'passes', 'too many requests, without Retry-After', limited, refuse('rate_limited')],
  ['unavailable', 'refusal', 'passes', 'the service is unavailable for a short time', serverError(503), refuse('unavailable')],
  ['internal', 'refusal', 'passes', 'the service has an internal error', serverError(500), refuse('internal')],
  ['outage', 'refusal', 'passes', 'the whole service is unavailable for half a minute', outage, refuse('unavailable')],
  ['moderated', 'refusal', 'stays', 'refused by content moderation', onCreates(forbidden), refuse('moderated')],
  ['forbidden_model', 'refusal', 'stays', 'the key may not use this model', forbidden, refuse('forbidden_model')],
  ['unauthenticated', 'refusal', 'stays', 'the key is no longer valid', documented(401), refuse('unauthenticated')],
  ['invalid_parameter', 'refusal', 'stays', 'a parameter is refused', documented(400), refuse('invalid_parameter')],
  ['insufficient_balance', 'refusal', 'stays', 'the balance is too low', onCreates(forbidden), refuse('insufficient_balance')],
  ['not_found', 'refusal', 'stays', 'the task does not exist', unknownTask, refuse('not_found')],
  ['not_yet_visible', 'refusal', 'passes', 'a task that was just made is not found yet', newTask, refuse('not_found')],
])
