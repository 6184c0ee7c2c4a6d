import { factsOfFamily } from '../../../emulator/words.ts'
import { type FailureRow, failuresIn } from './failure.ts'
import {
  among,
  deleteRefused,
  documented,
  downloads,
  emulated,
  endsAs,
  linkRules,
  network,
  newTask,
  noAccess,
  onCreates,
  outage,
  refused,
  serverError,
  states,
  tasks,
  unknownTask,
  unknownTasks,
} from './sources.ts'

const refuse = (fault: string, others: object = {}) => ({ refuse: { fault, ...others } })

const queryLine = 'Spec, "Errors" 4'

const forContent: FailureRow['effect'] = ({ family }) => ({
  task: { outcome: 'failed', error: { code: factsOfFamily(family)?.contentCode ?? 'failed' } },
})
const refusedLate = { queued: '1s', running: '1s', outcome: 'failed', error: { code: 'InvalidParameter' } }
const goneFrom = { a: queryLine, c: 'C-unknown-task', special: queryLine, k: 'K-not-found' }

/** The source of what no specification says. */
const everyProgram = 'every program'

/** The failures of the catalogue, in its order. */
// biome-ignore format: a table, one row a line
export const failureRows: readonly FailureRow[] = failuresIn([
  // The operation answers with an error.
  ['rate_limited', 'refusal', 'passes', 'too many requests, with Retry-After', refused(429), refuse('rate_limited', { retry_after: '2s' })],
  ['rate_limited_bare', 'refusal', 'passes', 'too many requests, without Retry-After', refused(429), refuse('rate_limited')],
  ['unavailable', 'refusal', 'passes', 'the service is unavailable for a short time', serverError(503), refuse('unavailable')],
  ['internal', 'refusal', 'passes', 'the service has an internal error', serverError(500), refuse('internal')],
  ['outage', 'refusal', 'passes', 'the whole service is unavailable for half a minute', outage, refuse('unavailable')],
  ['moderated', 'refusal', 'stays', 'refused by content moderation', onCreates(refused(403)), refuse('moderated')],
  ['forbidden_model', 'refusal', 'stays', 'the key may not use this model', refused(403), refuse('forbidden_model')],
  ['unauthenticated', 'refusal', 'stays', 'the key is no longer valid', documented(401), refuse('unauthenticated')],
  ['invalid_parameter', 'refusal', 'stays', 'a parameter is refused', documented(400), refuse('invalid_parameter')],
  ['insufficient_balance', 'refusal', 'stays', 'the balance is too low', onCreates(() => 'A-403'), refuse('insufficient_balance')],
  ['too_large', 'refusal', 'stays', 'the request is too large', documented(413), refuse('too_large')],
  ['no_access', 'refusal', 'stays', 'the account does not have this variant', noAccess, refuse('not_found', { message: 'the resource does not exist for this account' })],
  ['delete_refused', 'refusal', 'stays', 'the task cannot be cancelled or deleted in its present state', deleteRefused, ({ family }) => refuse(family === 'special' ? 'not_implemented' : 'not_operable')],
  ['not_found', 'refusal', 'stays', 'the task does not exist', unknownTask, refuse('not_found')],
  ['not_yet_visible', 'refusal', 'passes', 'a task that was just made is not found yet', newTask, refuse('not_found')],
  // The connection fails, for every operation.
  ['request_lost', 'connection', 'passes', 'the connection breaks before the request is handled', emulated, { connection: { reset: 'before_request' } }],
  ['reply_lost', 'connection', 'passes', 'the request is handled, and the connection breaks before the reply', network, { connection: { reset: 'before_headers' } }],
  ['reply_cut', 'connection', 'passes', 'the connection breaks in the middle of the reply', emulated, { connection: { reset: 'mid_body' } }],
  ['no_answer', 'connection', 'passes', 'the connection stays open without a reply', network, { connection: 'hang' }],
  ['slow_answer', 'timing', 'passes', 'the reply takes three seconds', network, { connection: { latency: '3s' } }],
  ['garbled_answer', 'connection', 'passes', 'the reply cannot be parsed', emulated, { connection: 'garble' }],
  ['proxy_page', 'connection', 'passes', 'a proxy before the service answers 502 with a page of HTML', network, { refuse: { proxy_page: 502 } }],
  // Ways in which a task ends, or does not end.
  ['late_refusal', 'outcome', 'stays', 'the task is accepted and soon fails because of a parameter', among({ b: 'B-late' }), { task: refusedLate }],
  ['task_failed', 'outcome', 'stays', 'the task fails', tasks(states), { task: { outcome: 'failed' } }],
  ['task_moderated', 'outcome', 'stays', 'the task runs and then fails because of its content', tasks(states), forContent],
  ['task_expired', 'outcome', 'stays', 'the task is not finished in time and expires', endsAs('expired'), { task: { outcome: 'expired' } }],
  ['task_cancelled', 'outcome', 'stays', 'the task is cancelled', endsAs('cancelled'), { task: { outcome: 'cancelled' } }],
  ['task_stuck', 'timing', 'stays', 'the task never ends and does not expire', tasks('network'), { task: { outcome: 'stuck' } }],
  ['task_slow', 'timing', 'passes', 'the task waits ten minutes in the queue', tasks('A-run-times'), { task: { queued: '10m' } }],
  ['task_runs_long', 'timing', 'passes', 'the task runs for ten minutes', tasks('A-run-times'), { task: { running: '10m' } }],
  ['task_unknown', 'outcome', 'stays', 'the task becomes unknown: later polls answer UNKNOWN', unknownTasks, { task: { gone: '1s' } }],
  ['task_gone', 'outcome', 'stays', 'the record of the task is lost: later polls do not find it', among(goneFrom), { task: { gone: '1s' } }],
  ['no_result_link', 'outcome', 'stays', 'the task succeeds, and its reply has no link', ({ makesFile }) => (makesFile ? 'network' : undefined), { media: 'missing_url' }],
  // A file, and its link.
  ['file_truncated', 'media', 'passes', 'the file breaks off half way', downloads('network'), { media: 'truncated' }],
  ['file_empty', 'media', 'stays', 'the file is empty', downloads('network'), { media: 'empty' }],
  ['file_corrupt', 'media', 'stays', 'the file has the right length and wrong bytes', downloads('network'), { media: 'corrupt' }],
  ['file_wrong_type', 'media', 'stays', 'a page of HTML comes instead of the file', downloads('network'), { media: 'wrong_type' }],
  ['file_stalled', 'media', 'passes', 'the file stops half way and the connection stays open', downloads('network'), { media: { stall_after: '50%' } }],
  ['link_expired', 'media', 'stays', 'the link has expired', downloads(linkRules), { media: { link: 'expired' } }],
  ['link_exhausted', 'media', 'stays', 'the link has been used too often', downloads(linkRules), { media: { link: 'exhausted' } }],
  // The rule holds the request at this point, so that `explore --restarts` can kill the program exactly there.
  ['killed_before', 'restart', 'passes', 'the program is killed before the request is handled, and starts again', () => everyProgram, { connection: { hang: 'before_request' } }],
  ['killed_after', 'restart', 'passes', 'the program is killed after the request was handled and before its reply, and starts again', () => everyProgram, { connection: 'hang' }],
  ['killed_during', 'restart', 'passes', 'the program is killed when it has half of the file, and starts again', downloads(everyProgram), { media: { stall_after: '50%' } }],
])
