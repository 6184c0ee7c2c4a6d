import type { IncomingMessage } from 'node:http'
import { FaultError } from '../faults/fault.ts'
import { readQuery } from '../http/fields.ts'
import type { Headers } from '../http/headers.ts'
import {
  baseUrlOf,
  hostName,
  isCrossSite,
  isForeign,
  isHost,
  isOwnHost,
  type KnownNames,
} from '../http/origin.ts'
import { routesOver } from '../http/routes.ts'
import { checkShape, type Schema } from '../http/validate.ts'
import type { Reply } from '../pipeline/endpoint.ts'
import {
  type AnyReply,
  type Arrival,
  type Exchange,
  exchangeOf,
  type PageReply,
  plainSteps,
  type Surface,
} from '../pipeline/exchange.ts'
import { deepestJson, holdsMoreValues, isNestedDeeper, mostJsonValues } from '../worlds/json-depth.ts'
import { isName, isRecord, nameRule } from '../worlds/record-values.ts'
import type { Opened } from '../worlds/worlds.ts'
import type { ControlCall, ControlEndpoint } from './control-endpoint.ts'
import { badRequest, ControlError, controlErrorOf, noSuchWorld, notFound } from './control-error.ts'
import { controlEndpoints } from './endpoints.ts'
import { isOfRun, noting } from './trace/by-hand.ts'

/** The target of a path below `/__emulator`: an endpoint, a CORS preflight, or a path that only Express may serve. */
type Target =
  | { kind: 'endpoint'; endpoint: ControlEndpoint; world: string; params: Readonly<Record<string, string>> }
  | { kind: 'preflight' }
  | { kind: 'wrong_method'; allow: readonly string[] }
  | { kind: 'page'; pages: Pages }
  | { kind: 'unknown' }

/** The control API. Host and Origin decide access; errors are `{"error":{"code","message","path?","hint?"}}`; nothing is journaled. */
const control: Surface<Target> = {
  ...plainSteps,
  access: ({ request, services, target }) =>
    target.kind === 'page'
      ? checkPageAccess(request, services.options)
      : checkAccess(request, services.options),
  maxBodyBytes({ target, services }) {
    if (target.kind !== 'endpoint' || !target.endpoint.body) return undefined
    return Math.max(target.endpoint.maxBodyBytes ?? 0, services.options.maxBodyBytes)
  },
  check(exchange) {
    const { target } = exchange
    if (target.kind !== 'endpoint') return
    if (!isName(target.world)) throw badRequest(`"${target.world}" is not a world's name: ${nameRule}`)
    if (target.endpoint.body) exchange.body = readContent(exchange, target.endpoint)
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
  refuse,
}

/** What serves the pages and their files. */
type Pages = () => Promise<PageReply['serve']>

/** Finds the target of a path below `/__emulator`. */
export function createControl(pages: Pages): (arrival: Arrival) => Exchange {
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
    return method === 'GET' ? { kind: 'page', pages } : { kind: 'unknown' }
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

function handle(exchange: Exchange<Target>): AnyReply | Promise<AnyReply> {
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
      return pageReply(target.pages)
    case 'unknown':
      throw notFound(`The path ${path.slice(0, 200)}`)
  }
}

function callEndpoint(
  exchange: Exchange<Target>,
  { endpoint, world, params }: Extract<Target, { kind: 'endpoint' }>,
): AnyReply | Promise<AnyReply> {
  const { request, services, body } = exchange
  const query = endpoint.query ? readQuery(endpoint.query, exchange.query) : {}
  const known = services.worlds.use(world)
  if (!known && !endpoint.opens) throw noSuchWorld(world, services)
  const opened = known ? undefined : services.worlds.openForCall(world)
  exchange.world = known ?? opened?.world ?? exchange.world
  const baseUrl = baseUrlOf(request, services.options)
  const call: ControlCall = { world: exchange.world, services, params, query, body, baseUrl, request }
  if (opened) return inNewWorld(opened, () => endpoint.handle(call))
  return isOfRun(endpoint) ? noted(call, endpoint) : endpoint.handle(call)
}

/** A call that changes what clients meet. When it has succeeded, it is part of the run. */
function noted(call: ControlCall, endpoint: ControlEndpoint): AnyReply | Promise<AnyReply> {
  const note = noting(call, endpoint)
  const answer = endpoint.handle(call)
  if (!(answer instanceof Promise)) {
    note()
    return answer
  }
  return answer.then(done => {
    note()
    return done
  })
}

/** A call that opens its world: the reply says so. A call that is refused leaves no world behind. */
async function inNewWorld(
  { keep, takeBack }: Opened,
  handle: () => AnyReply | Promise<AnyReply>,
): Promise<AnyReply> {
  try {
    const answer = await handle()
    keep()
    if (answer.kind !== undefined || !isObject(answer.body)) return answer
    return { ...answer, body: { ...answer.body, opened: true } }
  } catch (error) {
    takeBack()
    throw error
  }
}

function isObject(body: unknown): body is object {
  return isRecord(body) && !Buffer.isBuffer(body)
}

async function pageReply(pages: Pages): Promise<PageReply> {
  return { kind: 'page', status: 200, headers: {}, serve: await pages() }
}

/** Matches every text with a `__proto__` key, also one written with escapes. Only such texts need a reviver, which is slow. */
const mayHoldProto = /__proto__|\\u00/

/** `POST /tasks` has a request of 64 levels inside its body. */
const deepest = 2 * deepestJson

function readContent({ request, bodyText = '' }: Exchange, endpoint: ControlEndpoint): unknown {
  const isYaml = endpoint.takesYaml && /[/+-]yaml\b/i.test(request.headers['content-type'] ?? '')
  return isYaml ? bodyText : readJson(bodyText, endpoint)
}

function readJson(
  text: string,
  { body: schema, bodyOptional, maxBodyBytes, takesYaml }: ControlEndpoint,
): unknown {
  if (text === '' && bodyOptional) return {}
  if (maxBodyBytes === undefined && holdsMoreValues(text, mostJsonValues))
    throw badRequest(`The body holds more than ${mostJsonValues} values`)
  // Before the text is parsed: with a reviver, JSON.parse itself would exhaust the stack.
  if (isNestedDeeper(text, deepest)) throw badRequest(`The body is nested deeper than ${deepest} levels`)
  let value: unknown
  try {
    value = mayHoldProto.test(text)
      ? JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
      : JSON.parse(text)
  } catch (error) {
    const hint = takesYaml ? { hint: 'send YAML with the header Content-Type: application/yaml' } : {}
    throw badRequest(`The body is not valid JSON: ${error instanceof Error ? error.message : error}`, hint)
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

/** A body without its null options, where null has no special meaning: clients send unset options as null (A-null). */
function stripNulls(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const properties = schema.properties ?? {}
  const kept = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (typeof property !== 'object') return [[key, entry]]
    if (entry === null) return [property.type].flat().includes('null') ? [[key, entry]] : []
    return [[key, stripNulls(property, entry)]]
  })
  return Object.fromEntries(kept)
}

/**
 * The control API answers only requests whose Host is loopback, the configured host or the public URL, and whose Origin, if any,
 * is one of these too, with any port: a front end that is developed here has a port of its own, and may move the clock. A page of
 * another site must not control the emulator, not even with a DNS name that resolves to it. Throws the refusal.
 */
function checkAccess(request: Pick<IncomingMessage, 'headers'>, options: KnownNames): void {
  const refusal = accessRefusal(request, options)
  if (refusal) throw refusal
}

/** The same for a page of the console: a link on any site may open it in a tab, where no other page can read it. */
function checkPageAccess({ headers }: Pick<IncomingMessage, 'headers'>, options: KnownNames): void {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target = 'document', ...others } = headers
  const isOpened = mode === 'navigate' && target === 'document'
  if (isOpened) delete others['sec-fetch-site']
  checkAccess({ headers: others }, options)
}

/** Why a request may not use the control API; undefined when it may. */
function accessRefusal(
  { headers }: Pick<IncomingMessage, 'headers'>,
  options: KnownNames,
): ControlError | undefined {
  const { host, origin } = headers
  if (host !== undefined && !isOwnHost(hostName(host), options)) {
    const message = `The control API does not answer for the host ${host}. It answers for loopback names, the address of --host and the address of --public-url`
    const hint = `start the emulator with --public-url http://${isHost(host) ? host : 'HOST:PORT'}`
    return new ControlError(403, 'forbidden_host', message, { hint })
  }
  if (isForeign(origin, options)) {
    const message = `The control API does not answer pages of the origin ${origin}. It answers pages of loopback names, with any port, and of the hosts of --host and --public-url`
    const hint = origin === 'null' ? 'serve the page from http://localhost: a file has no origin' : undefined
    return new ControlError(403, 'forbidden_origin', message, { ...(hint && { hint }) })
  }
  // A picture or a frame of another site sends no Origin.
  if (origin === undefined && isCrossSite(headers)) {
    const message = 'The control API does not answer pages of other sites'
    return new ControlError(403, 'forbidden_origin', message)
  }
  return undefined
}
