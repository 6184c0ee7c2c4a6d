import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../../emulator/words.ts'

/** The program's open requests. */
export interface InFlight {
  /**
   * Those that still owe something, by the places that they went to: `host:port=count,…`; `-` when there is none. The emulator owes the head of
   * a reply, since it knows itself how far the rest has come; others owe the whole of it.
   */
  calls(): string
  /** Grows with each byte that has arrived at the program's connections. */
  bytesRead(): number
}

/** Calls that drive the world's clock do not belong to the program. */
const control = '/__emulator'

/**
 * Follows the requests of `fetch` and of `node:http`, through Node's diagnostic channels. `onBegin` is called before a request is sent, and
 * `onEnd` when it owes nothing any more. `home` is the address of the emulator. A program may leave the rest of a reply unread, and
 * nothing is on its way then.
 */
export function followRequests({
  onBegin,
  onEnd,
  home,
}: {
  onBegin(): void
  onEnd(): void
  home: string
}): InFlight {
  const emulator = onThisMachine(placeOf(home))
  /** By request, the place of its server. */
  const open = new Map<object, string>()
  /** Those of `node:http` whose reply has begun. */
  const replies = new Map<object, IncomingMessage>()
  const begin = (request: object, origin: string, path = '') => {
    if (path.includes(control)) return
    onBegin()
    open.set(request, placeOf(origin))
  }
  const end = (request: object) => {
    replies.delete(request)
    if (open.delete(request)) onEnd()
  }
  const hasHead = (request: object) => {
    if (onThisMachine(open.get(request)) === emulator) end(request)
  }
  const on = (channel: string, act: (request: { origin?: unknown; path?: string }) => void) =>
    subscribe(channel, message => act((message as { request: object }).request))
  on('undici:request:create', request => begin(request, String(request.origin), request.path))
  on('undici:request:headers', hasHead)
  on('undici:request:trailers', end)
  on('undici:request:error', end)
  on('http.client.request.start', message => {
    const request = message as ClientRequest
    begin(request, `${request.protocol}//${request.getHeader('host')}`, request.path)
    request.once('close', () => end(request))
  })
  subscribe('http.client.response.finish', message => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
    if (open.has(request)) replies.set(request, response)
    hasHead(request)
  })
  return {
    calls() {
      const counts = new Map<string, number>()
      for (const [request, place] of open)
        if (!replies.get(request)?.complete) counts.set(place, (counts.get(place) ?? 0) + 1)
      return [...counts].map(([place, count]) => `${place}=${count}`).join(',') || '-'
    },
    bytesRead: followSockets(),
  }
}

function placeOf(origin: string): string {
  if (!URL.canParse(origin)) return 'unknown:0'
  const { protocol, hostname, port } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** The place, with one name for all addresses of this machine: a link may name the emulator as `localhost`. */
function onThisMachine(place = ''): string {
  const colon = place.lastIndexOf(':')
  return isLoopback(place.slice(0, colon)) ? `loopback${place.slice(colon)}` : place
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
