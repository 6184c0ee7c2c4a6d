import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ControlRequest } from '../control/dispatch.ts'
import { serveDownload } from '../downloads/serve-file.ts'
import type { Family } from '../families/family.ts'
import { familyRoutes } from '../families/routes.ts'
import { callerOf, checkActive } from '../http/account.ts'
import { baseUrlOf } from '../http/base-url.ts'
import { isLarge, parseBody, readBody } from '../http/body.ts'
import { keptRequest } from '../http/digest.ts'
import type { Call, Reply } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { inTurn } from '../http/large-bodies.ts'
import { readQuery } from '../http/query.ts'
import { refusalHeaders, sendPreflight } from '../http/respond.ts'
import { unreadKeys, unreadNames } from '../http/unread.ts'
import { checkShape, prepareChecks } from '../http/validate.ts'
import { linkPrefix } from '../media/links.ts'
import { type ProxyStatus, proxyPage } from '../scenarios/proxy-page.ts'
import { requestEffects } from '../scenarios/request-effects.ts'
import type { Refusal } from '../scenarios/scenario.ts'
import { advanceTo } from '../tasks/advance.ts'
import { nowIn } from '../worlds/world.ts'
import { type Arrival, identify, type Passage, passageOf } from './passage.ts'
import { finish, refuse } from './reply.ts'
import type { Services } from './services.ts'

export type Next = (error?: unknown) => void
export type Dispatch = (request: IncomingMessage, response: ServerResponse, next: Next) => void

const controlPath = '/__emulator'

/**
 * The whole request pipeline as one `(request, response, next)` function: the server calls it ahead of Express, and
 * `createEmulator` mounts it in an Express app. What it does not know goes to `next`.
 */
export function createApp(services: Services): Dispatch {
  const routes = familyRoutes()
  const control = controlOnDemand()

  return (request, response, next) => {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? '' : url.slice(mark + 1)
    if (path === controlPath || path.startsWith(`${controlPath}/`))
      return control({ request, response, path, query, services }, next)
    if (path.startsWith(linkPrefix)) return serveDownload({ request, response, path, query, services })
    if (request.method === 'OPTIONS')
      return sendPreflight(response, request.headers['access-control-request-headers'])
    const match = routes.find(request.method ?? 'GET', path)
    if (match)
      return pass(passageOf(match.row, { request, response, services, params: known(match.params), query }))
    const allow = routes.methods(path)
    const family = allow[0] && routes.find(allow[0], path)?.row.family
    if (family) return refuseMethod(family, allow, { request, response, services, params: {}, query: '' })
    next()
  }
}

/** The control API, loaded with its first request: whoever only creates and polls need not wait for it at the start. */
function controlOnDemand(): (control: ControlRequest, next: Next) => void {
  let loading: Promise<(control: ControlRequest, next: Next) => void> | undefined
  return (control, next) => {
    loading ??= import('../control/dispatch.ts').then(({ controlRoutes, handleControl }) => {
      const routes = controlRoutes()
      return (request, otherwise) => handleControl(routes, request, otherwise)
    })
    loading.then(handle => handle(control, next)).catch(next)
  }
}

/** One request through the rooms. Synchronous wherever nothing has to be waited for: a poll costs no promise. */
function pass(passage: Passage): void {
  try {
    // 1. The key tells world and account (401).
    const caller = callerOf(passage.request.headers.authorization, passage.services.worlds)
    passage.world = caller.world
    passage.account = caller.account.id
    identify(passage)
    checkActive(caller.account)
    // 2. The body, up to the limit (413), then everything else.
    const { endpoint, services } = passage
    if (endpoint.body) {
      const read = () =>
        readBody(passage.request, services.options.maxBodyBytes).then(text => {
          passage.bodyText = text
          const ready = prepareChecks()
          return ready ? ready.then(() => answer(passage)) : answer(passage)
        })
      settle(
        passage,
        isLarge(passage.request, services.options.maxBodyBytes) ? inTurn(passage.request, read) : read(),
      )
      return
    }
    const ready = endpoint.query ? prepareChecks() : undefined
    const reply = ready ? ready.then(() => answer(passage)) : answer(passage)
    if (reply instanceof Promise) settle(passage, reply)
    else finish(passage, reply)
  } catch (error) {
    if (passage.requestId === '') identify(passage)
    refuse(passage, error)
  }
}

/** Sends the reply when it is there and, for a reply that must wait for its rate-limit slot, when its time has come. */
function settle(passage: Passage, reply: Promise<Reply>): void {
  const deliver = (settled: Reply) =>
    settled.after ? settled.after.then(() => finish(passage, settled)) : finish(passage, settled)
  reply.then(deliver).catch(error => refuse(passage, error))
}

/** Steps from a read body to a reply; throws ApiError for every refusal. */
function answer(passage: Passage): Reply | Promise<Reply> {
  const { endpoint, family, world, request, services, params } = passage
  const { headers } = request
  // 3. JSON, if it is any: scenarios may look into it, so a fault in it is thrown only after they had their say.
  const parsed = endpoint.body
    ? attempt(() => parseBody(passage.bodyText ?? '', headers['content-type']))
    : { value: {} }
  const mayHaveTags = passage.bodyText?.includes('[[') ?? false
  // A large text is let go as soon as it has been read; the journal keeps its digest in any case.
  if (passage.bodyText && isLarge(request, services.options.maxBodyBytes) && !parsed.error)
    passage.bodyText = keptRequest(parsed.value)
  // 4. Scenarios, the header trigger and prompt tags: a refusal comes right after the key.
  const account = services.worlds.account(world, passage.account ?? 'default')
  passage.effects = requestEffects(world, {
    endpoint,
    family: family.id,
    account: account.id,
    headers,
    params,
    body: parsed.value,
    mayHaveTags,
  })
  if (passage.effects.rule) passage.trace.rule = passage.effects.rule
  if (passage.effects.advanceMs) advanceTo(world, nowIn(world) + passage.effects.advanceMs)
  if (passage.effects.connection?.reset === 'before_request') return noReply
  const refusal = passage.effects.refuse
  if (refusal?.proxyPage !== undefined) return proxyReply(refusal.proxyPage, refusal)
  if (refusal?.status !== undefined) return rawReply(refusal.status, refusal)
  if (refusal?.fault) throw new ApiError(refusal.fault, { ...refusal })
  // 5. Shape: JSON, types, enums, limits that hold for every model.
  if (parsed.error) throw parsed.error
  const unread = endpoint.body
    ? unreadKeys(endpoint.body, parsed.value)
    : endpoint.query
      ? unreadNames(endpoint.query, passage.query)
      : []
  if (unread.length > 0) passage.trace.unread = unread
  if (endpoint.body) checkShape(endpoint.body, parsed.value)
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

function rawReply(status: number, refusal: Refusal): Reply {
  const { body } = refusal
  return { status, headers: refusalHeaders(refusal), ...(body !== undefined && { body }) }
}

/** The reply to a request that was lost on its way: none. The journal keeps it with status 0. */
const noReply: Reply = { status: 0 }

function proxyReply(status: ProxyStatus, refusal: Refusal): Reply {
  return { status, body: proxyPage(status), headers: refusalHeaders(refusal), isFromProxy: true }
}

function refuseMethod(family: Family, allow: string[], arrival: Arrival): void {
  const endpoint = family.endpoints.find(candidate => candidate.method === allow[0]) ?? family.endpoints[0]
  if (!endpoint) return
  const unknown = { ...endpoint, operation: `${family.id}.unknown` }
  const passage = passageOf({ endpoint: unknown, family }, arrival)
  identify(passage)
  refuse(passage, new ApiError('method_not_allowed', { reason: `must be one of ${allow.join(', ')}`, allow }))
}

function known(params: Record<string, string | undefined>): Record<string, string> {
  return params as Record<string, string>
}
