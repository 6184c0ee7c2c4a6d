/**
 * Loaded into Node programs that run behind `--as HOST`. Most of them use no proxy whatever their environment says, so connections
 * themselves are led to the proxy: those of fetch, http, https and every library that is built on them.
 */
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { RuntimeSettings } from './environment.ts'
import { hostPlace } from './host-place.ts'

interface Target {
  host?: string
  port?: number | string
  /** Of a socket that is a file. */
  path?: string | null
}

const { GATEWAY_EMULATOR_AS: text } = process.env
if (text) lead(JSON.parse(text))

function lead(settings: RuntimeSettings): void {
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket
  const leading = function (this: Socket, ...given: unknown[]): Socket {
    // Node itself passes its arguments as a list that is marked as read already.
    const [first] = given
    const isRead = Array.isArray(first)
    const [target, listener] = (isRead ? first : read(given)) as [Target, unknown]
    const host = target.path ? 'localhost' : (target.host ?? 'localhost')
    switch (hostPlace(host, settings)) {
      case 'own':
      case 'allowed':
        return connect.apply(this, given)
      case 'emulated': {
        const there = { ...target, host: '127.0.0.1', port: settings.port, lookup: undefined, family: 4 }
        if (!isRead) return connect.call(this, there, listener)
        const again = first as unknown[]
        again[0] = there
        return connect.call(this, again)
      }
      case 'refused':
        return refuse(this, `${host}:${target.port}`, settings)
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

function refuse(socket: Socket, place: string, { refused }: RuntimeSettings): Socket {
  // At once: the program may end in its next step.
  appendFileSync(refused, `${place}\n`)
  const error = new Error(
    `connect ECONNREFUSED ${place}: gateway-emulator refuses it; --allow lets the program reach it`,
  )
  process.nextTick(() => socket.destroy(Object.assign(error, { code: 'ECONNREFUSED', syscall: 'connect' })))
  return socket
}
