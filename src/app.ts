import type { IncomingMessage, ServerResponse } from 'node:http'
import { controlRoutes, handleControl } from './control/dispatch.ts'
import { serveDownload } from './downloads.ts'
import type { Family } from './families/family.ts'
import { families } from './families/index.ts'
import { callerOf } from './http/account.ts'
import { baseUrlOf } from './http/base-url.ts'
import { parseBody, readBody } from './http/body.ts'
import type { Call, Endpoint, Reply, Trace } from './http/endpoint.ts'
import { ApiError } from './http/errors.ts'
import { readQuery } from './http/query.ts'
import { type Envelope, headersOf, send, sendPreflight } from './http/respond.ts'
import { routesOver } from './http/routes.ts'
import { unreadKeys } from './http/unread.ts'
import { checkShape, misfit } from './http/validate.ts'
import { linkPrefix } from './media/links.ts'
import { requestEffects } from './scenarios/request-effects.ts'
import type { Effects } from './scenarios/scenario.ts'
import { noEffects } from './scenarios/scenario.ts'
import type { Services } from './services.ts'
import { advanceTo } from './tasks/advance.ts'
import { randomFor } from './worlds/random.ts'
import { nowIn, type World } from './worlds/world.ts'

export type Next = (error?: unknown) => void
export type Dispatch = (request: IncomingMessage, response: ServerResponse, next: Next) => void

/** A row of the routing table: an endpoint and the family whose dialect it speaks. */
interface Row {
  endpoint: Endpoint
  family: Family
}

/** What is known of a request while it passes through the rooms. */
interface Passage extends Row {
  request: IncomingMessage
  response: ServerResponse
  services: Services
  params: Record<string, string>
  query: string
  world: World
  startedMs: number
  requestId: string
  effects: Effects
  trace: Trace
  account?: string
  bodyText?: string
}

/**
 * The whole request pipeline as one `(request, response, next)` function: the server calls it ahead of Express, and
 * `createEmulator` mounts it in an Express app. What it does not know goes to `next`.
 */
export function createApp(services: Services): Dispatch {
  const rows = families.flatMap(family => family.endpoints.map(endpoint => ({ endpoint, family })))
  const routes = routesOver<Row>(rows)
  const control = controlRoutes()

  return (request, response, next) => {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? '' : url.slice(mark + 1)
    if (path.startsWith('/__emulator'))
      return handleControl(control, { request, response, path, query, services }, next)
    if (path.startsWith(linkPrefix)) return serveDownload({ request, response, path, query, services })
    if (request.method === 'OPTIONS')
      return sendPreflight(response, request.headers['access-control-request-headers'])
    const match = routes.find(request.method ?? 'GET', path)
    if (match)
      return pass({
        ...match.row,
        ...arrival(request, response, services),
        params: known(match.params),
        query,
      })
    const allow = routes.methods(path)
    const family = allow[0] && routes.find(allow[0], path)?.row.family
    if (family) return refuseMethod({ family, allow, ...arrival(request, response, services) })
    next()
  }
}

/** What every passage starts with. The world is the default one until the key has told another. */
function arrival(request: IncomingMessage, response: ServerResponse, services: Services) {
  const world = services.worlds.open('default')
  const trace: Trace = {}
  return {
    request,
    response,
    services,
    world,
    trace,
    effects: noEffects,
    requestId: '',
    startedMs: performance.now(),
  }
}

/** One request through the rooms. Synchronous wherever nothing has to be waited for: a poll costs no promise. */
function pass(start: Omit<Passage, 'requestId'> & { requestId: string }): void {
  const passage: Passage = start
  try {
    // 1. The key tells world and account (401).
    const caller = callerOf(passage.request.headers.authorization, passage.services.worlds)
    passage.world = caller.world
    passage.account = caller.account.id
    identify(passage)
    // 2. The body, up to the limit (413), then everything else.
    if (passage.endpoint.body) {
      readBody(passage.request, passage.services.options.maxBodyBytes)
        .then(text => {
          passage.bodyText = text
          return answer(passage)
        })
        .then(reply => finish(passage, reply))
        .catch(error => refuse(passage, error))
      return
    }
    const reply = answer(passage)
    if (reply instanceof Promise)
      reply.then(settled => finish(passage, settled)).catch(error => refuse(passage, error))
    else finish(passage, reply)
  } catch (error) {
    if (passage.requestId === '') identify(passage)
    refuse(passage, error)
  }
}

/** Gives the request its id, from the world's seed and its ordinal there. */
function identify(passage: Passage): void {
  const { world, family } = passage
  const { opening, boots } = world.state.head
  const random = randomFor(opening.seed, 'request', boots * 1e9 + world.requests++)
  passage.requestId = family.dialect.requestId(random, nowIn(world))
}

/** Steps from a read body to a reply; throws ApiError for every refusal. */
function answer(passage: Passage): Reply | Promise<Reply> {
  const { endpoint, family, world, request, services, params } = passage
  const { headers } = request
  // 3. JSON, if it is any: scenarios may look into it, so a fault in it is thrown only after they had their say.
  const parsed = endpoint.body
    ? attempt(() => parseBody(passage.bodyText ?? '', headers['content-type']))
    : { value: {} }
  // 4. Scenarios, the header trigger and prompt tags: a refusal comes right after the key.
  const account = services.worlds.account(world, passage.account ?? 'default')
  passage.effects = requestEffects(world, {
    endpoint,
    family: family.id,
    account: account.id,
    headers,
    params,
    body: parsed.value,
  })
  if (passage.effects.rule) passage.trace.rule = passage.effects.rule
  if (passage.effects.advanceMs) advanceTo(world, nowIn(world) + passage.effects.advanceMs)
  const refusal = passage.effects.refuse
  if (refusal?.status !== undefined) return rawReply(refusal.status, refusal)
  if (refusal?.fault) throw new ApiError(refusal.fault, { ...refusal })
  // 5. Shape: JSON, types, enums, limits that hold for every model.
  if (parsed.error) throw parsed.error
  if (endpoint.body) {
    const unread = unreadKeys(endpoint.body, parsed.value)
    if (unread.length > 0) passage.trace.unread = unread
    checkShape(endpoint.body, parsed.value)
  }
  const query = endpoint.query ? readQuery(endpoint.query, passage.query) : {}
  // 6. The handler: rules, admission or a look at the view, presentation.
  const call: Call = {
    world,
    account,
    now: nowIn(world),
    operation: endpoint.operation,
    requestId: passage.requestId,
    params,
    query,
    body: parsed.value,
    headers,
    baseUrl: baseUrlOf(request, services.options),
    effects: passage.effects,
    services,
    trace: passage.trace,
  }
  return endpoint.handle(call)
}

function attempt(read: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}

function rawReply(
  status: number,
  { body, headers }: { body?: unknown; headers?: Record<string, string> },
): Reply {
  return { status, ...(body !== undefined && { body }), ...(headers && { headers }) }
}

/** A refusal in the family's dialect. What is not an ApiError is a fault of ours and says so. */
function refuse(passage: Passage, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : internalError(passage, thrown)
  passage.trace.fault = error.fault
  if (error.detail.rule) passage.trace.rule = error.detail.rule
  const { status, body } = passage.family.dialect.error(error, { requestId: passage.requestId })
  const headers: Record<string, string> = {}
  if (error.detail.retryAfterMs !== undefined)
    headers['Retry-After'] = String(Math.max(1, Math.ceil(error.detail.retryAfterMs / 1000)))
  if (error.detail.allow) headers.Allow = error.detail.allow.join(', ')
  finish(passage, { status, body, headers })
}

function internalError(passage: Passage, thrown: unknown): ApiError {
  passage.services.log.error(
    { err: thrown, operation: passage.endpoint.operation },
    'a request failed inside the emulator',
  )
  return new ApiError('internal', { reason: thrown instanceof Error ? thrown.message : String(thrown) })
}

function refuseMethod({
  family,
  allow,
  ...rest
}: Omit<Passage, 'endpoint' | 'params' | 'query'> & { allow: string[] }): void {
  const endpoint = family.endpoints.find(candidate => candidate.method === allow[0]) ?? family.endpoints[0]
  if (!endpoint) return
  const passage: Passage = {
    ...rest,
    family,
    endpoint: { ...endpoint, operation: `${family.id}.unknown` },
    params: {},
    query: '',
  }
  identify(passage)
  refuse(passage, new ApiError('method_not_allowed', { reason: `must be one of ${allow.join(', ')}`, allow }))
}

/** 7. What was changed is durable before it is acknowledged. */
function finish(passage: Passage, reply: Reply): void {
  const committed = passage.services.database.commit()
  if (!committed) {
    respond(passage, reply)
    return
  }
  committed.then(
    () => respond(passage, reply),
    error => {
      passage.services.log.error({ err: error }, 'a change could not be written')
      const fault = new ApiError('internal', {
        reason: 'the change could not be written to the data directory',
      })
      respond(passage, passage.family.dialect.error(fault, { requestId: passage.requestId }))
    },
  )
}

/** 8. The reply, then its journal entry. */
function respond(passage: Passage, reply: Reply): void {
  const { request, response, world, services, effects } = passage
  const checked = services.options.strict ? strictly(passage, reply) : reply
  const { headers: given } = request
  const envelope: Envelope = {
    requestId: passage.requestId,
    world: world.id,
    now: nowIn(world),
    clientRequestId: single(given['x-client-request-id']),
    rule: passage.trace.rule,
    fromBrowser: given.origin !== undefined,
  }
  const headers = headersOf(envelope)
  if (checked.headers) Object.assign(headers, checked.headers)
  const text = checked.body === undefined ? undefined : JSON.stringify(checked.body)
  send(response, checked.status, headers, text, effects.connection)
  world.journal.add({
    at: envelope.now,
    account: passage.account,
    operation: passage.endpoint.operation,
    method: request.method ?? '',
    url: request.url ?? '',
    status: checked.status,
    requestId: passage.requestId,
    durationMs: performance.now() - passage.startedMs,
    requestHeaders: request.rawHeaders,
    requestBody: passage.bodyText,
    responseHeaders: headers,
    responseBody: text,
    taskIds: passage.trace.taskIds,
    rule: passage.trace.rule,
    fault: passage.trace.fault,
    unread: passage.trace.unread,
  })
}

/** Under `--strict` a reply that does not fit its own schema is a 500 that says what. */
function strictly({ endpoint, family, requestId, effects }: Passage, reply: Reply): Reply {
  if (effects.refuse?.status !== undefined) return reply
  const schema =
    endpoint.replies[reply.status] ?? (reply.status >= 400 ? family.dialect.errorSchema : undefined)
  const problem = schema ? misfit(schema, reply.body) : `no schema for status ${reply.status}`
  if (!problem) return reply
  const error = new ApiError('internal', {
    reason: `the reply of ${endpoint.operation} does not fit its schema: ${problem}`,
  })
  return family.dialect.error(error, { requestId })
}

function known(params: Record<string, string | undefined>): Record<string, string> {
  return params as Record<string, string>
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
