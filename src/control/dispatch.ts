import type { IncomingMessage, ServerResponse } from 'node:http'
import { baseUrlOf } from '../http/base-url.ts'
import { readBody } from '../http/body.ts'
import { readQuery } from '../http/query.ts'
import { type Routes, routesOver } from '../http/routes.ts'
import { checkShape, prepareChecks } from '../http/validate.ts'
import type { Next } from '../server/app.ts'
import type { Services } from '../server/services.ts'
import { checkAccess } from './access.ts'
import type { ControlCall, ControlEndpoint, ControlReply } from './control-endpoint.ts'
import { badRequest, ControlError, notFound } from './control-error.ts'
import { controlEndpoints } from './endpoints.ts'
import { controlErrorOf } from './refusal.ts'
import { withoutUnset } from './unset.ts'

/** A request below `/__emulator`. */
export interface ControlRequest {
  request: IncomingMessage
  response: ServerResponse
  path: string
  query: string
  services: Services
}

interface Row {
  endpoint: ControlEndpoint
}

export type ControlRoutes = Routes<Row>

/** Routes over the control API's table. */
export function controlRoutes(): ControlRoutes {
  return routesOver(controlEndpoints.map(endpoint => ({ endpoint })))
}

/** Answers a request of the control API; pages and files that no row names go to `next`. */
export function handleControl(routes: ControlRoutes, control: ControlRequest, next: Next): void {
  const { request, response } = control
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  try {
    checkAccess(request, control.services.options)
    if (allowOrigin(request, response)) return
    const { path, world } = addressed(control.path)
    const match = routes.find(method, path)
    if (!match) {
      const allow = routes.methods(path)
      if (allow.length === 0 && method === 'GET') {
        next()
        return
      }
      throw allow.length > 0 ? wrongMethod(method, allow) : notFound(`The path ${control.path}`)
    }
    run(match.row.endpoint, { ...control, world, params: match.params as Record<string, string> })
      .then(reply => finish(control, reply))
      .catch(error => refuse(control, error))
  } catch (error) {
    request.resume()
    if (error instanceof ControlError) refuse(control, error)
    else sendJson(response, 500, { error: { code: 'internal', message: String(error) } })
  }
}

/**
 * A page of an origin that may drive the emulator (another port of this machine, say) may also read its answers. True when the
 * request was only the browser's preflight, which is answered here.
 */
function allowOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Vary', 'Origin')
  if (request.method !== 'OPTIONS') return false
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Last-Event-ID')
  response.writeHead(204).end()
  return true
}

/** `/__emulator/worlds/{world}/clock` is `/clock` for that world; `/worlds/{world}` itself is a path of its own. */
function addressed(path: string): { path: string; world: string } {
  const below = path.slice('/__emulator'.length) || '/'
  const named = /^\/worlds\/([^/]+)(\/.+)$/.exec(below)
  if (!named) return { path: below, world: 'default' }
  return { path: named[2] ?? '/', world: named[1] ?? '' }
}

async function run(
  endpoint: ControlEndpoint,
  control: ControlRequest & { world: string; params: Record<string, string> },
): Promise<ControlReply> {
  const { request, response, services } = control
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(control.world))
    throw badRequest(`"${control.world}" is not a world's name: 1 to 64 letters, digits, _ or -`)
  await prepareChecks()
  const maxBytes = Math.max(endpoint.maxBodyBytes ?? 0, services.options.maxBodyBytes)
  const body = endpoint.body ? await readJson(request, endpoint, maxBytes) : undefined
  const query = endpoint.query ? readQuery(endpoint.query, control.query) : {}
  const world = services.worlds.open(control.world, { byKey: control.world !== 'default' })
  const call: ControlCall = {
    world,
    services,
    params: control.params,
    query,
    body,
    baseUrl: baseUrlOf(request, services.options),
    request,
    response,
  }
  return endpoint.handle(call)
}

async function readJson(
  request: IncomingMessage,
  endpoint: ControlEndpoint,
  maxBytes: number,
): Promise<unknown> {
  const text = await readBody(request, maxBytes)
  if (text === '' && endpoint.bodyOptional) return {}
  let value: unknown
  try {
    value = JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (!endpoint.body) return value
  const given = withoutUnset(endpoint.body, value)
  checkShape(endpoint.body, given)
  return given
}

async function finish({ request, response, services }: ControlRequest, reply: ControlReply): Promise<void> {
  // Who only looks needs no disk: that it is full can be seen here.
  if (request.method !== 'GET' && request.method !== 'HEAD') await services.database.commit()
  if (reply) sendJson(response, reply.status, reply.body)
}

function refuse({ response, services }: ControlRequest, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const refusal = controlErrorOf(error)
  if (!refusal) services.log.error({ err: error }, 'the control API failed')
  const { status, code, message, detail, allow } = refusal ?? ourFault(error)
  if (allow) response.setHeader('Allow', allow.join(', '))
  sendJson(response, status, { error: { code, message, ...detail } })
}

function wrongMethod(method: string, allow: readonly string[]): ControlError {
  const error = new ControlError(405, 'method_not_allowed', `${method} is not one of ${allow.join(', ')}`)
  error.allow = allow
  return error
}

function ourFault(error: unknown): ControlError {
  return new ControlError(500, 'internal', error instanceof Error ? error.message : String(error))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}
