import type { CorsOption } from './origin.ts'

/** Headers that hold for one connection only (RFC 9110, 7.6.1), in lower case. */
export const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

export type Headers = Record<string, string | number>

/** The value of a header, whatever the case of its name; `name` is in lower case. */
export function headerOf(headers: Readonly<Headers>, name: string): string | number | undefined {
  const found = Object.keys(headers).find(known => known.toLowerCase() === name)
  return found === undefined ? undefined : headers[found]
}

/** Headers of every reply of the emulated API. The emulator adds no other header that the real service lacks. */
export interface Envelope {
  requestId: string
  world: string
  /** Virtual now, epoch ms. */
  now: number
  clientRequestId?: string | undefined
  rule?: string | undefined
  /** The request's Origin: a browser needs CORS headers in the reply. Requests of origins that are not allowed were refused before. */
  origin: string | undefined
  options: CorsOption
}

/** The last second and its text: writing it anew takes 2 % of the time of a poll. */
let dateSecond = Number.NaN
let dateText = ''

/** The `Date` header at a virtual moment (epoch ms). */
export function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(ms).toUTCString()
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
  if (envelope.origin !== undefined)
    Object.assign(headers, allowedOrigin(envelope.origin, envelope.options), exposed)
  return headers
}

/** The headers of a page from a proxy before the gateway. The request did not reach the gateway, so the gateway's headers are missing. */
export function proxyHeaders({ now, world, rule }: Pick<Envelope, 'now' | 'world' | 'rule'>): Headers {
  return {
    Date: httpDate(now),
    'Content-Type': 'text/html',
    'X-Emulator-World': world,
    ...(rule !== undefined && { 'X-Emulator-Rule': rule }),
  }
}

/** The headers that let a page of an allowed origin read a reply. */
export function allowedOrigin(origin: string | undefined, { cors }: CorsOption): Headers {
  if (cors === 'any') return { 'Access-Control-Allow-Origin': '*' }
  return origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' }
}

const exposed = {
  'Access-Control-Expose-Headers':
    'Retry-After, X-Request-Id, Content-Range, Accept-Ranges, ETag, X-Emulator-World, X-Emulator-Rule',
} as const

/** Adds a reply's own headers to the common ones. The reply's own value replaces a common one, whatever the case of its name. */
export function addHeaders(common: Headers, own: Readonly<Headers>): Headers {
  for (const [name, value] of Object.entries(own)) {
    if (!(name in common)) removeHeader(common, name)
    common[name] = value
  }
  return common
}

function removeHeader(headers: Headers, name: string): void {
  const lower = name.toLowerCase()
  for (const known of Object.keys(headers)) if (known.toLowerCase() === lower) delete headers[known]
}

/**
 * The headers of a refusal: when to try again, in whole seconds, and the headers that a raw refusal gives. Content-Length is left
 * out, since the writer sets it, and Content-Type is written in one spelling.
 */
export function refusalHeaders({
  retryAfterMs,
  headers = {},
}: {
  retryAfterMs?: number
  headers?: Readonly<Record<string, string>>
}): Headers {
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  const ours: Headers = {}
  if (retryAfterMs !== undefined) ours['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)))
  return addHeaders(
    ours,
    Object.fromEntries(
      own.map(([name, value]) => [/^content-type$/i.test(name) ? 'Content-Type' : name, value]),
    ),
  )
}

/** W3C Trace Context, level 1: version, trace id, parent id, flags. */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
const noTrace = '0'.repeat(32)

/** A trace id as a caller writes it, alone or in a whole `traceparent`, in lower case; undefined when it is neither. */
export function readTraceId(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined
  const text = written.trim().toLowerCase()
  const id = /^[0-9a-f]{32}$/.test(text) ? text : traceIdOf(text)
  return id === noTrace ? undefined : id
}

/** The trace id in a `traceparent` header, 32 hexadecimal digits; undefined when the header is missing or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = form.exec(traceparent?.trim() ?? '')?.[1]
  return id === noTrace ? undefined : id
}
