import type { IncomingMessage, ServerResponse } from 'node:http'
import { familyRoutes } from '../families/routes.ts'
import { type Caller, callerOf } from '../http/account.ts'
import { headersOf, send } from '../http/respond.ts'
import { nowIn, requestRandom } from '../worlds/world.ts'
import type { Services } from './services.ts'

/**
 * A path that no table names: a plain JSON 404 (A-paths) with the headers of every reply, so that a page of another origin reads
 * it, too. With a key it is in the journal of the key's world, where whoever mistyped a path will look.
 */
export function refusePath({ worlds }: Services, request: IncomingMessage, response: ServerResponse): void {
  const startedMs = performance.now()
  const { authorization, origin } = request.headers
  const caller = callerIfAny(authorization, worlds)
  const world = caller?.world ?? worlds.open('default')
  const { url = '/' } = request
  const path = url.replace(/\?.*$/s, '').slice(0, 200)
  const requestId = requestRandom(world).hex(32)
  const envelope = {
    requestId,
    world: world.id,
    now: nowIn(world),
    clientRequestId: request.headers['x-client-request-id']?.toString(),
    fromBrowser: origin !== undefined,
  }
  const headers = headersOf(envelope)
  const message = `The path ${path} does not exist${hintFor(path)}`
  const text = JSON.stringify({ error: { code: 'not_found', message } })
  send(response, 404, headers, text)
  if (authorization === undefined) return
  world.journal.add({
    at: envelope.now,
    account: caller?.account.id,
    operation: 'unknown',
    method: request.method ?? '',
    url,
    status: 404,
    requestId,
    durationMs: performance.now() - startedMs,
    startedMs,
    requestHeaders: request.rawHeaders,
    requestBody: undefined,
    responseHeaders: headers,
    responseBody: text,
    fault: 'not_found',
  })
}

/** The path is wrong whatever the key is, so a wrong key changes nothing (A-order). */
function callerIfAny(authorization: string | undefined, worlds: Services['worlds']): Caller | undefined {
  try {
    return callerOf(authorization, worlds)
  } catch {
    return undefined
  }
}

/**
 * Spec, "Endpoints": "The `/api` prefix is mandatory; omitting it gives 404", and family C has "no `/api` prefix". Here the 404 says
 * so, where the path with or without the prefix is one.
 */
function hintFor(path: string): string {
  const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
  return familyRoutes().methods(other).length > 0 ? `; did you mean ${other}?` : ''
}
