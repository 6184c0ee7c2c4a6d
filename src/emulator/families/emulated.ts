import { FaultError } from '../faults/fault.ts'
import { callerOf, checkActive } from '../http/account.ts'
import { isLarge, parseBody } from '../http/body.ts'
import { readQuery, unreadKeys, unreadNames } from '../http/fields.ts'
import { type Headers, headersOf, refusalHeaders } from '../http/headers.ts'
import { baseUrlOf } from '../http/origin.ts'
import { masksFor } from '../http/secrets.ts'
import { disconnectSignal } from '../http/transfer.ts'
import { type AllowedValues, checkShape, misfit } from '../http/validate.ts'
import type { Call, Reply } from '../pipeline/endpoint.ts'
import type { Exchange, Surface } from '../pipeline/exchange.ts'
import { mayRefuse } from '../scenarios/refusals.ts'
import { mayHaveRules, readRequest, trigger } from '../scenarios/request-effects.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { oneOf } from '../wording/shown.ts'
import { keptRequest } from '../worlds/digest.ts'
import type { Task } from '../worlds/task.ts'
import { nowIn, requestRandom } from '../worlds/world.ts'
import { type FamilyRoute, outputsOf } from './index.ts'

/** An endpoint of a family, and the parameters of the path. */
export interface Called {
  row: FamilyRoute
  params: Record<string, string>
}

/** The emulated API. The families give its routes, the key gives access, and each family refuses in its own dialect. */
export const emulated: Surface<Called> = {
  identify,
  access({ services, world, account = 'default', keyLabel }) {
    checkActive(services.worlds.account(world, account), keyLabel)
  },
  maxBodyBytes: ({ target, services }) =>
    target.row.endpoint.body ? services.options.maxBodyBytes : undefined,
  scenario,
  check,
  handle(exchange) {
    const reply = exchange.target.row.endpoint.handle(callOf(exchange))
    renderPolled(exchange)
    return reply
  },
  isCommitted: () => true,
  headers: commonHeaders,
  misfit({ target, effects, request }, reply) {
    const { endpoint, family } = target.row
    // A header of the emulator's own may name a scenario that does not exist.
    const isAsked = effects.refuse !== undefined || request.headers[trigger] !== undefined
    if (isOwnRefusal(reply.status) && !isAsked && !mayRefuse(endpoint.operation, reply.status))
      return `no line says that it may refuse with ${reply.status}`
    const schema =
      endpoint.replies[reply.status] ?? (reply.status >= 400 ? family.dialect.errorSchema : undefined)
    return schema ? misfit(schema, reply.body) : `no schema for status ${reply.status}`
  },
  isJournaled: () => true,
  refuse,
}

/** A wrong method and a failure of the service can happen to every operation. */
function isOwnRefusal(status: number): boolean {
  return status === 501 || (status >= 400 && status < 500 && status !== 405)
}

/** A path of the emulated API with a method that it does not allow: 405 in the dialect of its family. */
export const wrongMethod: Surface<Called & { allow: readonly string[] }> = {
  ...emulated,
  maxBodyBytes: () => undefined,
  scenario: () => noEffects,
  check() {},
  handle({ target }) {
    const { allow } = target
    throw new FaultError('method_not_allowed', { reason: oneOf(allow), allow })
  },
}

/** The key gives world and account. The request's id is drawn from the seed of the world, also when the key is wrong. */
function identify(exchange: Exchange<Called>): void {
  try {
    const caller = callerOf(exchange.request.headers.authorization, exchange.services.worlds)
    exchange.world = caller.world
    exchange.account = caller.account.id
    exchange.keyLabel = caller.keyLabel
  } finally {
    const { world, target } = exchange
    exchange.generation = world.generation
    exchange.requestId = target.row.family.dialect.requestId(requestRandom(world), nowIn(world))
  }
}

/**
 * The effects of the world's scenarios, the header trigger and prompt tags. Tags are in the body, so the body is parsed here; the next
 * steps see the body without them.
 */
function scenario(exchange: Exchange<Called>): Effects {
  const { target, world, request, services } = exchange
  const { endpoint, family } = target.row
  const mayHaveTags = services.options.promptTags === 'on' && (exchange.bodyText?.includes('[[') ?? false)
  if (endpoint.body) readJson(exchange)
  else exchange.body = {}
  if (!mayHaveTags && !mayHaveRules(world, request.headers)) return noEffects
  const read = readRequest(world, {
    endpoint,
    family: family.id,
    account: services.worlds.account(world, exchange.account ?? 'default').id,
    headers: request.headers,
    params: target.params,
    query: exchange.query,
    body: exchange.body,
    mayHaveTags,
  })
  exchange.body = read.body
  return read.effects
}

/** The parsed JSON, or the error in it. Scenarios may read the body, so the error is thrown only after they have acted. */
function readJson(exchange: Exchange<Called>): void {
  const { request, services, bodyText = '' } = exchange
  try {
    exchange.body = parseBody(bodyText, request.headers['content-type'])
  } catch (error) {
    exchange.bodyFault = error
    return
  }
  // A large text is freed as soon as it has been parsed; the journal keeps only its digest.
  if (isLarge(request, services.options.maxBodyBytes)) exchange.bodyText = keptRequest(exchange.body)
}

/** Checks JSON, types, enums, and limits of all models. */
function check(exchange: Exchange<Called>): void {
  if (exchange.bodyFault) throw exchange.bodyFault
  const { endpoint } = exchange.target.row
  const unread = endpoint.body
    ? unreadKeys(endpoint.body, exchange.body)
    : endpoint.query
      ? unreadNames(endpoint.query, exchange.query)
      : undefined
  // They are stored and shown: a key at the place of a name is no exception.
  if (unread && unread.length > 0)
    exchange.trace.unread = unread.map(masksFor(exchange.request.headers.authorization).text)
  if (endpoint.body) checkShape(endpoint.body, exchange.body, () => allowedIn(exchange))
}

/** The enumeration values that the requested model allows, for messages. */
function allowedIn({ target, body, services }: Exchange<Called>): AllowedValues {
  const { row, params } = target
  return row.endpoint.allows?.({ body, params, models: services.options.models }) ?? {}
}

function callOf(exchange: Exchange<Called>): Call {
  const { target, world, request, services } = exchange
  const { endpoint } = target.row
  let signal: AbortSignal | undefined
  return {
    world,
    generation: exchange.generation ?? world.generation,
    account: services.worlds.account(world, exchange.account ?? 'default'),
    keyLabel: exchange.keyLabel,
    now: nowIn(world),
    operation: exchange.operation,
    requestId: exchange.requestId,
    params: target.params,
    query: endpoint.query ? readQuery(endpoint.query, exchange.query) : {},
    body: exchange.body,
    headers: request.headers,
    baseUrl: baseUrlOf(request, services.options),
    effects: exchange.effects,
    services,
    trace: exchange.trace,
    disconnected() {
      signal ??= disconnectSignal(exchange.response)
      return signal
    },
  }
}

/** The tasks whose files were asked for ahead. */
const asked = new WeakSet<Task>()

/**
 * Renders the main file of a task that a client polls near its end, before it asks for the file. A program that only makes tasks needs no
 * renderer. A task that will fail has no files.
 */
function renderPolled({ request, trace, world, services }: Exchange<unknown>): void {
  if (request.method !== 'GET') return
  for (const id of trace.taskIds ?? []) {
    const task = world.state.tasks.get(id)
    if (!task || asked.has(task) || !isNearEnd(task, nowIn(world))) continue
    const [main] = Object.values(outputsOf(task))
    if (!main) continue
    asked.add(task)
    services.library.ahead(() => main)
  }
}

function isNearEnd({ plan: { outcome, startsAt, endsAt } }: Task, now: number): boolean {
  return outcome.kind === 'succeeded' && now >= (startsAt + endsAt) / 2
}

function refuse({ target, requestId, trace }: Exchange<Called>, thrown: unknown): Reply | undefined {
  if (!(thrown instanceof FaultError)) return undefined
  const { fault, detail } = thrown
  trace.fault = fault
  if (detail.param) trace.param = detail.param
  const { status, body } = target.row.family.dialect.error(thrown, { requestId })
  const { retryAfterMs, allow } = detail
  const headers = refusalHeaders(retryAfterMs === undefined ? {} : { retryAfterMs })
  if (allow) headers.Allow = allow.join(', ')
  return { status, body, headers }
}

/** The headers of every reply of the emulated API. */
export function commonHeaders(
  { request, requestId, world, trace, services }: Exchange,
  now: number,
): Headers {
  const { headers } = request
  return headersOf({
    requestId,
    world: world.id,
    now,
    clientRequestId: single(headers['x-client-request-id']),
    rule: trace.rule,
    origin: headers.origin,
    options: services.options,
  })
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
