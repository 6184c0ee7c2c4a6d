import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'

/**
 * The number of the program's open requests, and the moment since which the network has been silent (wall ms of the steady
 * clock).
 */
export interface InFlight {
  count: number
  silentSince: number
}

/** Calls that drive the world's clock do not belong to the program. */
const control = '/__emulator'

/** Counts the requests of `fetch` and of `node:http`, through Node's diagnostic channels. `now` reads the real steady clock. */
export function followRequests(now: () => number, ended: () => void): InFlight {
  const state: InFlight = { count: 0, silentSince: now() }
  const open = new Set<object>()
  const begin = (request: object, path: string) => {
    if (path.includes(control)) return
    open.add(request)
    touch()
  }
  const end = (request: object) => {
    if (!open.delete(request)) return
    touch()
    ended()
  }
  const touch = () => {
    state.count = open.size
    state.silentSince = now()
  }
  const on = (channel: string, act: (request: { path?: string }) => void) =>
    subscribe(channel, message => act((message as { request: { path?: string } }).request))
  on('undici:request:create', request => begin(request, request.path ?? ''))
  on('undici:request:headers', touch)
  on('undici:request:trailers', end)
  on('undici:request:error', end)
  on('http.client.request.start', message => {
    const request = message as ClientRequest
    begin(request, request.path ?? '')
    request.once('close', () => end(request))
  })
  return state
}
