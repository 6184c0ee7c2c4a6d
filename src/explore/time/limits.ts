import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

/** A request of `fetch`, as Node's diagnostic channels show it. */
interface FetchRequest {
  /** Its own limits, ms; absent or null when those of its connection hold. 0: no limit. */
  headersTimeout?: number | null
  bodyTimeout?: number | null
  abort?(error: Error): void
}

/** How long `fetch` waits for the head of an answer, and between two parts of its body, ms. */
const standardMs = 300_000

/** Called when something was sent on a connection, or has arrived at it. */
const onPart = new WeakMap<object, () => void>()

/**
 * Ends requests of `fetch` by its own limits in virtual time. Its engine measures them in wall time, which such a program never
 * reaches. The limit of a body begins anew with each part that arrives at its own connection: see `limitSockets`.
 */
export function limitFetch(): void {
  const waiting = new Map<FetchRequest, NodeJS.Timeout>()
  const limits = new Map<FetchRequest, { head: number; body: number }>()
  /** Those whose head has come. */
  const bodies = new WeakSet<FetchRequest>()
  const stop = (request: FetchRequest) => {
    clearTimeout(waiting.get(request))
    waiting.delete(request)
  }
  const start = (request: FetchRequest, part: 'head' | 'body') => {
    stop(request)
    const ms = limits.get(request)?.[part] ?? standardMs
    if (ms === 0) return
    waiting.set(request, setTimeout(() => request.abort?.(timeoutError(part)), ms).unref())
  }
  const on = (channel: string, act: (message: { request: FetchRequest; socket?: object }) => void) =>
    subscribe(channel, message => act(message as { request: FetchRequest; socket?: object }))
  on('undici:client:sendHeaders', ({ request, socket = {} }) => {
    limits.set(request, {
      head: request.headersTimeout ?? limitOf(socket, 'headers timeout'),
      body: request.bodyTimeout ?? limitOf(socket, 'body timeout'),
    })
    start(request, 'head')
    onPart.set(socket, () => {
      if (bodies.has(request)) waiting.get(request)?.refresh()
    })
  })
  on('undici:request:headers', ({ request }) => {
    bodies.add(request)
    start(request, 'body')
  })
  const end = ({ request }: { request: FetchRequest }) => {
    stop(request)
    limits.delete(request)
  }
  on('undici:request:trailers', end)
  on('undici:request:error', end)
}

/** A limit of the connection's dispatcher, which keeps it under a symbol with this description. */
function limitOf(socket: object, description: string): number {
  const client = bySymbol(socket, 'client')
  const limit = typeof client === 'object' && client !== null ? bySymbol(client, description) : undefined
  return typeof limit === 'number' ? limit : standardMs
}

function bySymbol(holder: object, description: string): unknown {
  const symbol = Object.getOwnPropertySymbols(holder).find(one => one.description === description)
  return symbol && Reflect.get(holder, symbol)
}

/** The error of the engine itself for this limit. */
function timeoutError(part: 'head' | 'body'): Error {
  const what = part === 'head' ? 'Headers' : 'Body'
  const [name, message] = [`${what}TimeoutError`, `${what} Timeout Error`]
  const code = `UND_ERR_${what.toUpperCase()}_TIMEOUT`
  return Object.assign(
    withoutStack(() => new Error(message)),
    { name, code, stack: `${name}: ${message}` },
  )
}

/** An error of a timer, whose stack would only name this module. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Sends at once what a program writes. TCP would hold a second part back until the first is acknowledged, for 40 ms, which nobody sees: time
 * would move meanwhile.
 */
export function sendAtOnce(): void {
  for (const side of ['client', 'server'])
    subscribe(`net.${side}.socket`, message => (message as { socket: Socket }).socket.setNoDelay(true))
}

/** A socket with what Node keeps of its time-out. */
type Timed = Socket & { _parent?: Timed | null; _onTimeout(): void; _unrefTimer(): void }

/**
 * Ties the time-outs of connections to the program's timers: `socket.setTimeout`, and so those of requests of `node:http`. Node measures
 * them with timers that cannot be replaced.
 */
export function limitSockets(): void {
  const timers = new Map<Timed, NodeJS.Timeout>()
  const followed = new WeakSet<Timed>()
  const stop = (socket: Timed) => {
    clearTimeout(timers.get(socket))
    timers.delete(socket)
  }
  const sockets = Socket.prototype as Timed
  const { setTimeout: measure, _unrefTimer: goOn } = sockets
  sockets.setTimeout = function (this: Timed, ms, listener) {
    measure.call(this, ms, listener)
    stop(this)
    if (this.destroyed || !(ms > 0)) return this
    // Its own timer stops; the property stays as programs read it.
    measure.call(this, 0)
    Object.assign(this, { timeout: ms })
    timers.set(this, setTimeout(() => this._onTimeout(), ms).unref())
    if (!followed.has(this)) this.once('close', () => stop(this))
    followed.add(this)
    return this
  }
  // Node calls it for each part that was sent or has arrived.
  sockets._unrefTimer = function () {
    goOn.call(this)
    for (let socket: Timed | null | undefined = this; socket; socket = socket._parent) {
      timers.get(socket)?.refresh()
      onPart.get(socket)?.()
    }
  }
}
