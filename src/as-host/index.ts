/**
 * Loaded into Node programs that run behind `--as HOST`. Most of them use no proxy whatever their environment says, so connections
 * themselves are led to the proxy: those of fetch, http, https and every library that is built on them.
 */
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

/** What `gateway-emulator` tells the program's runtime; see src/as/environment.ts. */
interface Told {
  port: number
  emulated: string[]
  allowed: string[]
  refused: string
}

interface Target {
  host?: string
  port?: number | string
  /** Of a socket that is a file. */
  path?: string | null
}

const { GATEWAY_EMULATOR_AS: text } = process.env
if (text) lead(JSON.parse(text))

function lead(told: Told): void {
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket
  const leading = function (this: Socket, ...given: unknown[]): Socket {
    // Node itself passes its arguments as a list that is marked as read already.
    const [first] = given
    const isRead = Array.isArray(first)
    const [target, listener] = (isRead ? first : read(given)) as [Target, unknown]
    const host = target.path ? 'localhost' : (target.host ?? 'localhost')
    switch (placeOf(host, told)) {
      case 'direct':
        return connect.apply(this, given)
      case 'emulated': {
        const there = { ...target, host: '127.0.0.1', port: told.port, lookup: undefined, family: 4 }
        if (!isRead) return connect.call(this, there, listener)
        const again = first as unknown[]
        again[0] = there
        return connect.call(this, again)
      }
      case 'refused':
        return refuse(this, `${host}:${target.port}`, told)
    }
  }
  Socket.prototype.connect = leading as typeof Socket.prototype.connect
}

function read([first, ...others]: unknown[]): [Target, unknown] {
  const listener = others.findLast(one => typeof one === 'function')
  if (typeof first === 'object' && first !== null) return [first, listener]
  const host = typeof others[0] === 'string' ? { host: others[0] } : {}
  const isPath = typeof first === 'string' && !/^\d+$/.test(first)
  return [isPath ? { path: first } : { port: first as number, ...host }, listener]
}

function placeOf(name: string, { emulated, allowed }: Told): 'direct' | 'emulated' | 'refused' {
  const host = name.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(host)) return 'direct'
  const covers = (pattern: string) =>
    pattern.startsWith('*.')
      ? host.endsWith(pattern.slice(1))
      : host === pattern || host === `results.${pattern}`
  if (emulated.some(covers)) return 'emulated'
  return allowed.some(covers) ? 'direct' : 'refused'
}

function refuse(socket: Socket, place: string, { refused }: Told): Socket {
  // At once: the program may end in its next step.
  appendFileSync(refused, `${place}\n`)
  const error = new Error(
    `connect ECONNREFUSED ${place}: gateway-emulator refuses it; --allow lets the program reach it`,
  )
  process.nextTick(() => socket.destroy(Object.assign(error, { code: 'ECONNREFUSED', syscall: 'connect' })))
  return socket
}
