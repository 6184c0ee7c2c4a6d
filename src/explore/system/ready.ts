import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunClock } from './run-clock.ts'
import { filled, type Ready, type Values } from './system.ts'

/** Between two looks whether a service is ready, ms. */
const lookMs = 25
/** How long it may take in the time of the run, ms; a look takes wall time. */
const mostMs = 120_000
/** How long it may take in all, wall ms: a part that works without an end holds the time of the run. */
const mostWallMs = 600_000
/** Between two looks whether anybody still waits, while the time of the run stands still, wall ms. */
const standMs = 1000
/** How long one look may take, wall ms. */
const answerMs = 5000

export interface Asked {
  ready: Ready
  /** The service as the file names it: its port has that name, however many of it run. */
  of: string
  values: Values
  clock: RunClock
  output(): string
  /** Why nobody waits any longer, such as that it has ended; undefined while somebody does. */
  whyOver(): string | undefined
}

/** Waits until a service is ready. Returns why it is not, in words that follow its name; undefined when it is. */
export async function notReady(asked: Asked): Promise<string | undefined> {
  const { clock, whyOver } = asked
  const beganMs = performance.now()
  let ms = 0
  while (ms < mostMs) {
    const lookedMs = performance.now()
    if (await isReady(asked)) return undefined
    ms += performance.now() - lookedMs + lookMs
    const slept = clock.sleep(lookMs).then(() => true)
    do {
      const why = whyOver()
      if (why !== undefined) return why
      if (performance.now() - beganMs > mostWallMs)
        return `was not ready after ${mostWallMs / 1000} s of wall time: ${signOf(asked)}`
    } while (!(await Promise.race([slept, pause(standMs, false, { ref: false })])))
  }
  return `was not ready after ${mostMs / 1000} s: ${signOf(asked)}`
}

function signOf({ ready, of, values }: Asked): string {
  switch (ready.kind) {
    case 'tcp':
      return `nothing listens at its port ${values[`port.${of}`]}`
    case 'url':
      return `${filled(ready.url, values)} does not answer below 500`
    case 'line':
      return `it has not written ${JSON.stringify(ready.text)}`
  }
}

async function isReady({ ready, of, values, clock, output }: Asked): Promise<boolean> {
  switch (ready.kind) {
    case 'line':
      return output().includes(filled(ready.text, values))
    case 'tcp': {
      const port = Number(values[`port.${of}`])
      return clock.call(port, () => isOpen(port))
    }
    case 'url': {
      const url = new URL(filled(ready.url, values))
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      return (await clock.call(port, () => statusOf(url))) < 500
    }
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', timeout: answerMs })
    const end = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

/** The status of the answer; 599 when none comes. Its certificate may be the user's own. */
function statusOf(url: URL): Promise<number> {
  return new Promise(resolve => {
    const ask = url.protocol === 'https:' ? secureRequest : request
    const asking = ask(url, { agent: false, timeout: answerMs, rejectUnauthorized: false }, reply => {
      reply.resume()
      resolve(reply.statusCode ?? 599)
    })
    asking.once('timeout', () => asking.destroy())
    asking.once('error', () => resolve(599)).end()
  })
}
