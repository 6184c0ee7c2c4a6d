import type { ServerResponse } from 'node:http'
import { sendThrough } from '../scenarios/faults.ts'
import type { ConnectionFault, Refusal } from '../scenarios/scenario.ts'

/** Headers that every reply of the emulated API carries; never anything else that the real service lacks. */
export interface Envelope {
  requestId: string
  world: string
  now: number
  clientRequestId?: string | undefined
  rule?: string | undefined
  /** True when the request told an Origin, so that a browser is waiting for CORS headers. */
  fromBrowser: boolean
}

export type Headers = Record<string, string | number>

let dateSecond = -1
let dateText = ''

/** The `Date` header at a virtual moment. */
export function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1000).toUTCString()
  }
  return dateText
}

/** The headers of a reply, common ones first. */
export function headersOf(envelope: Envelope): Headers {
  const headers: Headers = {
    Date: httpDate(envelope.now),
    'X-Request-Id': envelope.requestId,
    'X-Emulator-World': envelope.world,
  }
  if (envelope.clientRequestId !== undefined) headers['X-Client-Request-Id'] = envelope.clientRequestId
  if (envelope.rule !== undefined) headers['X-Emulator-Rule'] = envelope.rule
  if (envelope.fromBrowser) Object.assign(headers, corsHeaders)
  return headers
}

/** The headers of a page that a proxy in between sent: the gateway has not seen the request, so its own headers are missing. */
export function proxyHeaders({ now, world, rule }: Pick<Envelope, 'now' | 'world' | 'rule'>): Headers {
  return {
    Date: httpDate(now),
    'Content-Type': 'text/html',
    'X-Emulator-World': world,
    ...(rule !== undefined && { 'X-Emulator-Rule': rule }),
  }
}

/** What lets a page of any origin read a reply (interface, "Control API": CORS). */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Retry-After, X-Request-Id, Content-Range, Accept-Ranges, ETag, X-Emulator-World, X-Emulator-Rule',
} as const

/**
 * What a refusal says in headers: when to try again, in whole seconds, and what a raw one has of its own. So that none of these
 * goes out twice, the length is left to be counted and the type has one spelling.
 */
export function refusalHeaders({
  retryAfterMs,
  headers = {},
}: Pick<Refusal, 'retryAfterMs' | 'headers'>): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return {
    ...(retryAfterMs !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
    ...Object.fromEntries(
      own.map(([name, value]) => [/^content-type$/i.test(name) ? 'Content-Type' : name, value]),
    ),
  }
}

/** Sends a JSON text (or nothing). The one place that writes replies of the emulated API, whole or through a connection fault. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Headers,
  text: string | undefined,
  fault?: ConnectionFault,
): void {
  if (text !== undefined) {
    headers['Content-Type'] ??= 'application/json; charset=utf-8'
    headers['Content-Length'] = Buffer.byteLength(text)
  }
  if (fault) {
    sendThrough(response, { status, headers, payload: Buffer.from(text ?? '') }, fault)
    return
  }
  response.sendDate = false
  response.writeHead(status, headers)
  response.end(text)
}

/** The reply to a browser's preflight request. */
export function sendPreflight(response: ServerResponse, requestedHeaders: string | undefined): void {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': requestedHeaders ?? 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
    Vary: 'Access-Control-Request-Headers',
  })
  response.end()
}
