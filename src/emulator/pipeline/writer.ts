import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { addHeaders, type Headers, proxyHeaders } from '../http/headers.ts'
import { disturbanceOf, withoutBody } from '../scenarios/effects/connection.ts'
import { isReached } from '../scenarios/effects/media.ts'
import { type DeliveryFaults, sendFaulty } from '../scenarios/faults.ts'
import { realTime } from '../worlds/clock.ts'
import type { ReplyOrder } from '../worlds/journal.ts'
import type { MediaFault } from '../worlds/task.ts'
import { underWayIn } from '../worlds/under-way.ts'
import { pause } from '../worlds/wait.ts'
import { nowIn } from '../worlds/world.ts'
import type { Reply } from './endpoint.ts'
import type { Exchange, FileReply, Outlet, PageReply, StreamReply } from './exchange.ts'

/** The sent reply, for the journal. */
export interface SentReply {
  /** The world's virtual moment of the reply, epoch ms. */
  at: number
  status: number
  headers: Headers
  /** The body, when it is a text. */
  text: string | undefined
  /** How a scenario changed the bytes of the file. */
  media: MediaFault | undefined
}

/**
 * Sends a reply: a JSON value, a text, bytes, a file or a stream; unchanged, or with the connection faults of a scenario. No other
 * place finishes replies, except Express for its pages.
 */
export function write(exchange: Exchange, reply: Reply | FileReply | StreamReply): SentReply {
  const { surface, world } = exchange
  if (!hasBody(exchange.request, reply)) keepWhatActs(exchange)
  const at = nowIn(world)
  const headers =
    reply.kind === undefined && reply.isFromProxy
      ? proxyHeaders({ now: at, world: world.id, rule: exchange.trace.rule })
      : surface.headers(exchange, at)
  if (reply.headers) addHeaders(headers, reply.headers)
  const written: SentReply = { at, status: reply.status, headers, text: undefined, media: undefined }
  if (reply.kind === 'file') {
    written.media = sendFile(exchange, reply, headers)
    if (!written.media) forgetMedia(exchange)
  } else if (reply.kind === 'stream') sendStream(exchange, reply, headers)
  else written.text = sendValue(exchange, reply, headers)
  return written
}

function hasBody({ method }: IncomingMessage, reply: Reply | FileReply | StreamReply): boolean {
  if (method === 'HEAD') return false
  return reply.kind === 'stream' || (reply.kind === 'file' ? reply.payload : reply.body) !== undefined
}

/** Leaves out of the exchange's effects, and so of the journal, what does nothing to a reply without a body. */
function keepWhatActs(exchange: Exchange): void {
  const { connection, ...others } = exchange.effects
  if (!connection) return
  const acting = withoutBody(connection)
  exchange.effects = { ...others, ...(Object.keys(acting).length > 0 && { connection: acting }) }
}

/** The same for a fault of the file that does not come to this part of it. */
function forgetMedia(exchange: Exchange): void {
  if (!exchange.effects.media) return
  const { media: _, ...others } = exchange.effects
  exchange.effects = others
}

/** Sends a value and returns its text; undefined for bytes and for an empty body. */
function sendValue(exchange: Exchange, reply: Reply, headers: Headers): string | undefined {
  const { request, response, effects } = exchange
  const { status, body } = reply
  const isBytes = Buffer.isBuffer(body)
  const text =
    body === undefined || isBytes ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const payload = isBytes ? body : text
  if (payload !== undefined) {
    headers['Content-Type'] ??=
      typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    headers['Content-Length'] = Buffer.byteLength(payload)
  }
  if (effects.connection) {
    const outgoing = { status, headers, payload: isBytes ? body : Buffer.from(text ?? '') }
    const faults = { connection: effects.connection, ...waitOf(exchange) }
    sendFaulty(response, outgoing, faults).catch(cause => response.destroy(cause))
    return text
  }
  response.writeHead(status, headers)
  if (isCutOff(request, response)) endAfterBody(request, response, payload)
  else response.end(request.method === 'HEAD' ? undefined : payload)
  return text
}

/** Starts to send a file. Sending stops when the client disconnects. Returns the fault of the file, when this part of it has it. */
function sendFile(exchange: Exchange, reply: FileReply, headers: Headers): MediaFault | undefined {
  const { request, response, effects } = exchange
  exchange.fileFrom = request.socket.bytesWritten
  const { status, payload = nothing, place } = reply
  const { connection } = effects
  const outgoing = { status, headers, payload, ...(place && { place }) }
  const media = reply.payload && reply.media && isReached(outgoing, reply.media) ? reply.media : undefined
  if (media || connection) {
    const acting = { ...(media && { media }), ...(connection && { connection }) }
    const faults = { ...acting, ...waitOf(exchange) }
    sendFaulty(response, outgoing, faults).catch(cause => response.destroy(cause))
    return media
  }
  response.writeHead(status, headers)
  if (Buffer.isBuffer(payload)) response.end(payload)
  else pipeline(payload, response).catch(() => response.destroy())
  return undefined
}

const nothing = Buffer.alloc(0)

/** What a reply needs that may have to wait for that to another call, or until it is released. */
function waitOf(exchange: Exchange): Pick<DeliveryFaults, 'underWay' | 'own' | 'ordered' | 'wentOn'> {
  const { world, operation, nth: call } = exchange
  return {
    underWay: underWayIn(world),
    ...(call !== undefined && { own: { operation, call } }),
    ordered: order => noteOrder(exchange, order),
    wentOn: stopped => noteRelease(exchange, stopped),
  }
}

/** Writes into the journal what became of a reply that another call's must come before, and when it was let go. */
function noteOrder({ entry, world }: Exchange, order: ReplyOrder): void {
  if (!entry) return
  entry.released = { at: nowIn(world), ms: realTime.elapsedMs() }
  entry.effects = entry.effects?.map(effect => (effect.kind === 'after' ? { ...effect, order } : effect))
}

/** From here on nothing stops the request. What is left of its effects says whether its client can read the reply. */
export function noteRelease(exchange: Exchange, stopped: 'hang' | 'stall'): void {
  const { entry, world, effects } = exchange
  const { connection: { hang: _, ...connection } = {}, media, ...others } = effects
  exchange.effects = {
    ...others,
    ...(Object.keys(connection).length > 0 && { connection }),
    ...(media && stopped !== 'stall' && { media }),
  }
  if (!entry) return
  const { lost, broken } = disturbanceOf(connection)
  Object.assign(entry, { lost, broken, drawn: exchange.effects })
  if (stopped === 'hang') entry.released = { at: nowIn(world), ms: realTime.elapsedMs() }
  entry.effects = entry.effects?.map(effect =>
    effect.kind === stopped ? { ...effect, released: true } : effect,
  )
}

function sendStream({ request, response }: Exchange, reply: StreamReply, headers: Headers): void {
  response.writeHead(reply.status, headers)
  if (request.method === 'HEAD') response.end()
  else reply.run(outletTo(response))
}

function outletTo(response: ServerResponse): Outlet {
  return {
    write(text) {
      response.write(text)
    },
    get waitingBytes() {
      return response.writableLength
    },
    drained: () =>
      new Promise(resolve => {
        const done = () => {
          response.off('drain', done).off('close', done)
          resolve()
        }
        response.on('drain', done).on('close', done)
      }),
    cut: () => response.destroy(),
    end: () => response.end(),
    onClose(listener) {
      response.once('close', listener)
    },
  }
}

/** Lets Express serve a page, with the surface's headers. */
export function servePage(exchange: Exchange, reply: PageReply, otherwise: (error?: unknown) => void): void {
  const { surface, world, request, response } = exchange
  for (const [name, value] of Object.entries(surface.headers(exchange, nowIn(world))))
    response.setHeader(name, value)
  reply.serve(request, response, otherwise)
}

/** Closes the source of a reply that will not be sent. */
export function discard(reply: { kind?: string | undefined; payload?: unknown }): void {
  const { payload } = reply
  if (
    typeof payload === 'object' &&
    payload !== null &&
    'destroy' in payload &&
    typeof payload.destroy === 'function'
  )
    payload.destroy()
}

/** The last step when even a refusal cannot be sent. Other requests are not affected. */
export function abandon({ services, response, operation }: Exchange, fault: unknown): void {
  services.log.error({ err: fault, operation }, 'a reply could not be sent')
  response.destroy()
}

/** How long a client may still send after its reply, wall ms, and how many bytes. */
const longestMs = 5000
const mostBytes = 64 * 1024 * 1024

/**
 * Whether the end of this reply would close the connection while the client still sends its body. What a client sends to a closed
 * connection is answered with a TCP reset, which discards the reply before the client has read it.
 */
function isCutOff({ complete, headers }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean {
  if (shouldKeepAlive || complete) return false
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** Sends the whole reply at once, and closes the connection when the client has sent its body or the time is over. */
function endAfterBody(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | Buffer | undefined,
): void {
  if (payload === undefined || request.method === 'HEAD') response.flushHeaders()
  else response.write(payload)
  let bytes = 0
  const end = () => {
    if (!response.writableEnded) response.end()
  }
  request.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > mostBytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
  pause(longestMs).then(end)
}
