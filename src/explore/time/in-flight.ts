import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/** The program's open requests, and the moment of the last network traffic. */
export interface InFlight {
  count(): number
  /** Whether all open requests went to the server at this origin, by any name of the loopback address: links name another than the API. */
  areTo(origin: string): boolean
  /** How many requests the program has sent up to now. */
  begun(): number
  /** Grows with each byte that has arrived at the program's connections. */
  bytesRead(): number
  /** The moment of the last beginning, end or byte, wall ms of the steady clock. */
  silentSince(): number
  /** Notes that bytes are on their way. */
  touch(): void
}

/** Calls that drive the world's clock do not belong to the program. */
const control = '/__emulator'

/**
 * Follows the requests of `fetch` and of `node:http`, through Node's diagnostic channels. `now` reads the real steady clock, `onBegin` is
 * called before a request is sent, and `onEnd` when its reply has come.
 */
export function followRequests(
  now: () => number,
  { onBegin, onEnd }: { onBegin(): void; onEnd(): void },
): InFlight {
  let lastSign = now()
  /** By request, the origin of its server. */
  const open = new Map<object, string>()
  const bytesRead = followSockets()
  let counted = bytesRead()
  const touch = () => {
    lastSign = now()
  }
  let begun = 0
  const begin = (request: object, origin: string, path = '') => {
    if (path.includes(control)) return
    onBegin()
    begun++
    open.set(request, origin)
    touch()
  }
  const end = (request: object) => {
    if (!open.delete(request)) return
    touch()
    onEnd()
  }
  const on = (channel: string, act: (request: { origin?: unknown; path?: string }) => void) =>
    subscribe(channel, message => act((message as { request: object }).request))
  on('undici:request:create', request => begin(request, String(request.origin), request.path))
  on('undici:request:headers', touch)
  on('undici:request:trailers', end)
  on('undici:request:error', end)
  on('http.client.request.start', message => {
    const request = message as ClientRequest
    begin(request, `${request.protocol}//${request.getHeader('host')}`, request.path)
    request.once('close', () => end(request))
  })
  return {
    count: () => open.size,
    areTo: origin => [...open.values()].every(one => plain(one) === plain(origin)),
    touch,
    begun: () => begun,
    bytesRead,
    silentSince() {
      const bytes = bytesRead()
      if (bytes !== counted) touch()
      counted = bytes
      return lastSign
    },
  }
}

/** An origin with one name for all of the loopback address. */
function plain(origin: string): string {
  return origin.replace(/\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/i, '//localhost')
}

/**
 * Counts the bytes that have arrived at the program's connections. Node 20 has no channel for the parts of a body, so a long
 * download is seen by the byte counter of its socket.
 */
function followSockets(): () => number {
  const sockets = new Set<Socket>()
  let ended = 0
  const add = (socket: Socket) => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      ended += socket.bytesRead
    })
  }
  subscribe('undici:client:connected', message => add((message as { socket: Socket }).socket))
  subscribe('http.client.request.start', message => {
    const { request } = message as { request: ClientRequest }
    if (request.path.includes(control)) return
    if (request.socket) add(request.socket)
    else request.once('socket', add)
  })
  return () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, ended)
}
