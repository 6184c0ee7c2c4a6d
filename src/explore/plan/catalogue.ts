import { refusalBy } from '../../emulator/gateway.ts'
import { downloadOperation, factsOfFamily, makesTask, operations } from '../../emulator/words.ts'
import type { Failure, FailureKind } from '../../kits/views.ts'

export type { Failure, FailureKind } from '../../kits/views.ts'

export const failureKinds = [
  'refusal',
  'connection',
  'outcome',
  'media',
  'timing',
  'restart',
] as const satisfies readonly FailureKind[]

/** Why an operation can have a failure; undefined when it cannot. */
type Source = (operation: Operation) => string | undefined
/** What a failure does, as the `then` of a scenario. */
type Effect = Record<string, unknown> | ((operation: Operation) => Record<string, unknown>)

/** A failure for all operations that can have it; one that `passes` is transient. */
type Row = readonly [
  id: string,
  kind: FailureKind,
  when: 'passes' | 'stays',
  title: string,
  source: Source,
  effect: Effect,
]

/** The facts that decide whether an operation can have a failure. */
interface Operation {
  id: string
  family: string
  /** It makes a task that is polled. */
  makesTask: boolean
  /** Its result is a file behind a link. */
  makesFile: boolean
  /** It queries one task by its id. */
  isPoll: boolean
  /** It queries one task, or a list of them. */
  isQuery: boolean
  isDownload: boolean
}

function operationNamed(id: string): Operation {
  const isDownload = id === downloadOperation
  const family = id.split('.')[0] ?? ''
  return {
    id,
    family: isDownload ? '' : family,
    makesTask: makesTask(id) && family !== 'image',
    makesFile: makesTask(id) && factsOfFamily(family)?.fileless?.includes(id) !== true,
    isPoll: /\.get$/.test(id) && id !== 'k.tasks.get',
    isQuery: /\.(?:get|list)$/.test(id),
    isDownload,
  }
}

/** For operations of which any line has the status. */
const refused =
  (status: number): Source =>
  ({ id, isDownload }) =>
    isDownload ? undefined : refusalBy(id, status)?.source

/** For operations of which a line of the specification has the status. */
const documented =
  (status: number): Source =>
  operation =>
    refusalBy(operation.id, status)?.by === 'assumed' ? undefined : refused(status)(operation)

const onCreates =
  (source: Source): Source =>
  operation =>
    operation.makesTask || operation.family === 'image' ? source(operation) : undefined

/** A DELETE while the task runs: each family has a status of its own. */
const deleteRefused: Source = operation =>
  operation.id.endsWith('.delete')
    ? (refused(501)(operation) ?? refused(409)(operation) ?? refused(400)(operation))
    : undefined

/** For family C-special 403 and 404 are declared for every operation, also for those that name no task (C-special-access). */
const noAccess: Source = operation => (namesTask(operation) ? undefined : documented(404)(operation))

const namesTask = ({ id, isPoll }: Operation) => isPoll || id.endsWith('.delete')

/** Family K answers 4xx for a task that it does not find (K-not-found). */
const unknownTask: Source = operation =>
  (namesTask(operation) ? refused(404)(operation) : undefined) ??
  (operation.family === 'k' && operation.isPoll ? refused(400)(operation) : undefined)

/** Upstream services may need a moment until a new task can be queried. */
const newTask: Source = operation => (operation.isPoll ? unknownTask(operation) : undefined)

/** A whole service that is unavailable for a time, for the calls that make tasks and ask for them. */
const outage: Source = ({ isQuery, makesTask, family }) =>
  isQuery || makesTask || family === 'image' ? 'network' : undefined

/** Every service may answer with these statuses; only the table for images lists them. */
const serverError =
  (status: number): Source =>
  operation =>
    documented(status)(operation) ?? 'network'

const network: Source = () => 'network'
const emulated: Source = ({ isDownload }) => (isDownload ? undefined : 'network')
const tasks =
  (line: string): Source =>
  operation =>
    operation.makesTask ? line : undefined
const among =
  (lines: Readonly<Record<string, string>>): Source =>
  ({ makesTask, family }) =>
    makesTask ? lines[family] : undefined
const endsAs =
  (status: 'cancelled' | 'expired'): Source =>
  ({ makesTask, family }) =>
    makesTask && factsOfFamily(family)?.words[status] ? states : undefined
/** For families that have a word for a task that is not found. */
const unknownTasks: Source = ({ makesTask, family }) =>
  makesTask && factsOfFamily(family)?.unknownWord ? states : undefined
const downloads =
  (line: string): Source =>
  ({ isDownload }) =>
    isDownload ? line : undefined

const states = 'Spec, "States and transitions"'
const linkRules = 'Spec, "Family A: task record", link rules'

const refuse = (fault: string, others: object = {}) => ({ refuse: { fault, ...others } })

const queryLine = 'Spec, "Errors" 4'

const forContent: Effect = ({ family }) => ({
  task: { outcome: 'failed', error: { code: factsOfFamily(family)?.contentCode ?? 'failed' } },
})
const refusedLate = { queued: '1s', running: '1s', outcome: 'failed', error: { code: 'InvalidParameter' } }
const goneFrom = { a: queryLine, c: 'C-unknown-task', special: queryLine, k: 'K-not-found' }

const everyProgram = 'every program'

/** The failures of the catalogue, in its order. */
// biome-ignore format: a table, one row a line
const failureRows: readonly Row[] = [
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
]

export const failureIds: readonly string[] = failureRows.map(([id]) => id)

export interface FailureFilter {
  operation?: string
  family?: string
}

/** The failures of an operation, of a family, or of both; all failures when neither is given. */
export function failuresOf({ operation, family }: FailureFilter = {}): Failure[] {
  return operations
    .filter(id => operation === undefined || id === operation)
    .map(operationNamed)
    .filter(found => family === undefined || found.isDownload || found.family === family)
    .flatMap(found => failureRows.flatMap(row => failureIn(row, found, family)))
}

/** Whether a failure can happen to the files of a family; true when the family is not known. */
export function meetsFilesOf(family: string | undefined, id: string): boolean {
  return id !== 'link_exhausted' || family === undefined || factsOfFamily(family)?.limitsDownloads === true
}

function failureIn(
  [id, kind, when, title, sourceOf, effect]: Row,
  operation: Operation,
  family: string | undefined,
): Failure[] {
  const source = sourceOf(operation)
  if (source === undefined || !meetsFilesOf(family, id)) return []
  const then = typeof effect === 'function' ? effect(operation) : effect
  return [{ id, operation: operation.id, title, kind, transient: when === 'passes', source, then }]
}
