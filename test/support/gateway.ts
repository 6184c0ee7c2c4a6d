import type { Server } from 'node:http'
import { afterAll } from 'vitest'
import type { EmulatorOptions } from '../../src/emulator/options/config.ts'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { misfitOfControl } from './control-replies.ts'
import { listening } from './input-server.ts'
import { type PlainAnswer, plainClient } from './plain-client.ts'
import { expectAllShown, noteDownload, noteExchange } from './seen-exchanges.ts'
import { poolForTest } from './shared-pool.ts'

/** An answer as tests read it. */
export interface Answer {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and a wrong reading fails the test
  body: any
  text: string
}

export interface Gateway {
  url: string
  server: Server
  /** A request of the emulated API, by default with the key of the world's default account. */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer>
  post(path: string, body: unknown, key?: string): Promise<Answer>
  get(path: string, key?: string): Promise<Answer>
  delete(path: string, key?: string): Promise<Answer>
  /** A request of the control API. A world in its path is open: `fetch` shows what happens when it is not. */
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** The control API of one world, by paths below it. */
  controlOf(world: string): Gateway['control']
  /** The name of a world that no other test of this gateway has. */
  freshWorld(): string
  advance(by: string | { until: unknown } | { to: string }): Promise<Answer>
  /** The bytes behind an absolute result link, fetched without a key. */
  download(
    url: string,
    headers?: Record<string, string>,
    ageHours?: number,
  ): Promise<{ status: number; headers: Headers; bytes: Buffer }>
}

/** Virtual time at which test worlds open, so that results do not depend on when a test runs. */
export const openingTime = '2026-03-01T08:00:00.000Z'

/**
 * An emulator on a free port, with a manual clock, a fixed opening time, and every reply checked against its schema. It is closed
 * after the file's tests.
 */
export async function openGateway(options: EmulatorOptions = {}): Promise<Gateway> {
  const now = Date.parse(openingTime)
  const { dispatch, services, close } = assembleInMemory({
    clock: { mode: 'manual', rate: 1 },
    now,
    strict: true,
    inputs: 'loopback',
    pool: poolForTest(),
    ...options,
  })
  const { server, url, close: leave } = await listening(dispatch)
  const client = plainClient(url, Number.POSITIVE_INFINITY)
  afterAll(async () => {
    client.close()
    await leave()
    await close()
    expectAllShown()
  })

  let worlds = 0
  const named = new Set<string>()
  /** Opens the world of a path below `/worlds/{world}/` when a test names it for the first time: calls that read open none. */
  const openWorldOf = (path: string) => {
    const name = /^\/__emulator\/worlds\/([A-Za-z0-9_-]{1,64})\//.exec(path)?.[1]
    if (name === undefined || named.has(name)) return
    named.add(name)
    services.worlds.open(name, { byKey: true })
  }

  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    openWorldOf(path)
    const isText = typeof body === 'string'
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const sent = isText || Buffer.isBuffer(body) || body === undefined ? body : JSON.stringify(body)
    const reply = await client.send({
      method,
      path,
      headers: { ...type, ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const answer = bodyOf(reply)
    if (path.startsWith('/__emulator')) {
      const misfit = misfitOfControl(method, path, { status: reply.status, body: answer })
      if (misfit !== undefined)
        throw new Error(`The control API answers otherwise than documented. ${misfit}`)
    }
    if (!path.startsWith('/__emulator'))
      noteExchange(url, `${url} ${headers.Authorization}`, {
        method,
        path,
        body,
        status: reply.status,
        reply: answer,
      })
    return { ...reply, headers: reply.headers as Record<string, string>, body: answer }
  }
  const call: Gateway['call'] = (method, path, body, { key = 'sk-emulator', headers = {} } = {}) =>
    send(method, path, body, { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers })

  return {
    url,
    server,
    call,
    post: (path, body, key) => call('POST', path, body, key === undefined ? {} : { key }),
    get: (path, key) => call('GET', path, undefined, key === undefined ? {} : { key }),
    delete: (path, key) => call('DELETE', path, undefined, key === undefined ? {} : { key }),
    control: (method, path, body) => send(method, `/__emulator${path}`, body, {}),
    controlOf: world => (method, below, body) =>
      send(method, `/__emulator/worlds/${world}${below}`, body, {}),
    freshWorld: () => `fresh-${++worlds}`,
    advance: by => send('POST', '/__emulator/clock/advance', typeof by === 'string' ? { by } : by, {}),
    async download(link, headers = {}, ageHours) {
      const reply = await fetch(link, { headers })
      const type = reply.headers.get('content-type') ?? ''
      const isKeyed = 'Authorization' in headers
      noteDownload(link, { status: reply.status, type, isKeyed, ...(ageHours !== undefined && { ageHours }) })
      return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
    },
  }
}

/** The body of a reply as JSON; of any other reply an empty object. Fails when a reply says that it is JSON and is not. */
function bodyOf({ headers, text }: PlainAnswer): unknown {
  const isJson = /[/+]json($|[^-\w])/i.test(String(headers['content-type']))
  return isJson && text !== '' ? JSON.parse(text) : {}
}
