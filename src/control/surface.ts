import { FaultError } from '../faults/fault-error.ts'
import { baseUrlOf } from '../http/base-url.ts'
import type { Reply } from '../http/endpoint.ts'
import type { Headers } from '../http/headers.ts'
import { readQuery } from '../http/query.ts'
import type { Answer, PageReply } from '../http/reply.ts'
import { routesOver } from '../http/routes.ts'
import { checkShape } from '../http/validate.ts'
import {
  type Arrival,
  type Exchange,
  exchangeOf,
  noBodyButChecks,
  plainSteps,
  type Surface,
} from '../server/exchange.ts'
import { deepestJson, isNestedDeeper } from '../worlds/json-depth.ts'
import { isName, nameRule } from '../worlds/names.ts'
import { accessRefusal, checkAccess } from './access.ts'
import type { ControlEndpoint } from './control-endpoint.ts'
import { badRequest, ControlError, notFound } from './control-error.ts'
import { controlEndpoints } from './endpoints.ts'
import { controlErrorOf } from './refusal.ts'
import { stripNulls } from './strip-nulls.ts'

/** The target of a path below `/__emulator`: an endpoint, a CORS preflight, or a path that only Express may serve. */
type Target =
  | { kind: 'endpoint'; endpoint: ControlEndpoint; world: string; params: Readonly<Record<string, string>> }
  | { kind: 'preflight' }
  | { kind: 'wrong_method'; allow: readonly string[] }
  | { kind: 'page' }
  | { kind: 'unknown' }

/** The control API. Host and Origin decide access; errors are `{"error":{"code","message","path?","hint?"}}`; nothing is journaled. */
const control: Surface<Target> = {
  ...plainSteps,
  identify() {},
  checkAccess: ({ request, services }) => checkAccess(request, services.options),
  body({ target, services }) {
    if (target.kind !== 'endpoint') return noBodyButChecks
    const { body, maxBodyBytes = 0 } = target.endpoint
    if (!body) return noBodyButChecks
    return { kind: 'read', maxBytes: Math.max(maxBodyBytes, services.options.maxBodyBytes) }
  },
  check(exchange) {
    const { target } = exchange
    if (target.kind !== 'endpoint') return
    if (!isName(target.world)) throw badRequest(`"${target.world}" is not a world's name: ${nameRule}`)
    if (target.endpoint.body) exchange.body = readJson(exchange.bodyText ?? '', target.endpoint)
    exchange.bodyText = undefined
  },
  handle,
  // A read does not wait for the disk, so that the control API still answers when the disk is full.
  isCommitted: ({ request }) => request.method !== 'GET' && request.method !== 'HEAD',
  headers({ request, services }): Headers {
    const { origin } = request.headers
    // A page of an allowed origin (for example another port of this machine) may also read the replies.
    if (origin === undefined || accessRefusal(request, services.options)) return {}
    return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' }
  },
  isJournaled: () => false,
  refuse,
}

/** Finds the target of a path below `/__emulator`. */
export function createControl(): (arrival: Arrival) => Exchange {
  const routes = routesOver(controlEndpoints.map(endpoint => ({ endpoint })))
  const targetOf = ({ request, path: whole }: Arrival): Target => {
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return { kind: 'preflight' }
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
    const { path, world } = addressed(whole)
    const match = routes.find(method, path)
    if (match)
      return { kind: 'endpoint', ...match.row, world, params: match.params as Record<string, string> }
    const allow = routes.methods(path)
    if (allow.length > 0) return { kind: 'wrong_method', allow }
    return { kind: method === 'GET' ? 'page' : 'unknown' }
  }
  return arrival => {
    const target = targetOf(arrival)
    const operation = target.kind === 'endpoint' ? `control ${target.endpoint.paths[0]}` : 'control'
    return exchangeOf<Target>(arrival, { surface: control, target, operation })
  }
}

/** `/__emulator/worlds/{world}/clock` is `/clock` for that world; `/worlds/{world}` itself is a separate path. */
function addressed(path: string): { path: string; world: string } {
  const below = path.slice('/__emulator'.length) || '/'
  const named = /^\/worlds\/([^/]+)(\/.+)$/.exec(below)
  if (!named) return { path: below, world: 'default' }
  return { path: named[2] ?? '/', world: named[1] ?? '' }
}

function handle(exchange: Exchange<Target>): Answer | Promise<Answer> {
  const { target, request, path } = exchange
  switch (target.kind) {
    case 'endpoint':
      return callEndpoint(exchange, target)
    case 'preflight':
      return {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
          'Access-Control-Allow-Headers': 'Content-Type, Last-Event-ID',
        },
      }
    case 'wrong_method':
      throw wrongMethod(request.method ?? '', target.allow)
    case 'page':
      return openPage()
    case 'unknown':
      throw notFound(`The path ${path.slice(0, 200)}`)
  }
}

function callEndpoint(
  exchange: Exchange<Target>,
  { endpoint, world, params }: Extract<Target, { kind: 'endpoint' }>,
): Answer | Promise<Answer> {
  const { request, services, body } = exchange
  const query = endpoint.query ? readQuery(endpoint.query, exchange.query) : {}
  exchange.world = services.worlds.open(world, { byKey: world !== 'default' })
  return endpoint.handle({
    world: exchange.world,
    services,
    params,
    query,
    body,
    baseUrl: baseUrlOf(request, services.options),
    request,
  })
}

/** Loaded with the first request for a page. Saves loading Express, about 80 ms, at the start of an emulator. */
let pages: Promise<PageReply['serve']> | undefined

/** Pages and their files. Express is loaded with the first request for one. */
async function openPage(): Promise<PageReply> {
  pages ??= import('../server/pages.ts').then(({ createPages }) => createPages())
  return { kind: 'page', status: 200, headers: {}, serve: await pages }
}

/** Matches a text that may hold a `__proto__` key, also when it is written with escapes. Other texts are parsed without a reviver, much faster. */
const mayHoldProto = /__proto__|\\u00/

/** `POST /tasks` has a request of 64 levels inside its body. */
const deepest = 2 * deepestJson

function readJson(text: string, { body: schema, bodyOptional }: ControlEndpoint): unknown {
  if (text === '' && bodyOptional) return {}
  // Before the text is parsed: with a reviver, JSON.parse itself would exhaust the stack.
  if (isNestedDeeper(text, deepest)) throw badRequest(`The body is nested deeper than ${deepest} levels`)
  let value: unknown
  try {
    value = mayHoldProto.test(text)
      ? JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
      : JSON.parse(text)
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (!schema) return value
  const given = stripNulls(schema, value)
  checkShape(schema, given)
  return given
}

function refuse({ path }: Exchange<Target>, thrown: unknown): Reply | undefined {
  const refusal =
    thrown instanceof FaultError && thrown.fault === 'not_found' && thrown.detail.reason === undefined
      ? notFound(`The path ${path.slice(0, 200)}`)
      : controlErrorOf(thrown)
  if (!refusal) return undefined
  const { status, code, message, detail, allow } = refusal
  return {
    status,
    body: { error: { code, message, ...detail } },
    ...(allow && { headers: { Allow: allow.join(', ') } }),
  }
}

function wrongMethod(method: string, allow: readonly string[]): ControlError {
  const error = new ControlError(405, 'method_not_allowed', `${method} is not one of ${allow.join(', ')}`)
  error.allow = allow
  return error
}
