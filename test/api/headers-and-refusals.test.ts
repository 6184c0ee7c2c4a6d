// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { RequestLine } from '../../src/emulator/options/log.ts'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { tasksPath, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway, openingTime } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { refusal } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()

function openWorld() {
  const world = gateway.freshWorld()
  return { world, ...worldOfA(gateway, world) }
}

/** A rule that refuses everything. */
const refusing = (refuse: object) => ({ then: { refuse } })

/** A finished task's video, by its link. */
async function videoOf(world: ReturnType<typeof openWorld>): Promise<{ id: string; url: string }> {
  const { id, content } = await world.finished(textBody({ duration: 4, resolution: '480p' }))
  return { id, url: content.video_url }
}

/** The bytes before a body, of a client that closes the connection. */
function headOf(method: string, path: string, headers: Record<string, string>): string {
  const all = { Host: '127.0.0.1', Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** How often a header came, whatever its spelling. */
async function headersOf(path: string, headers: Record<string, string>): Promise<[string, string][]> {
  const reply = await sendRaw(headOf('GET', path, headers))
  const lines = reply.split('\r\n\r\n', 1)[0]?.split('\r\n').slice(1) ?? []
  return lines.map(line => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
}

/** Sends bytes unchanged and returns all received bytes; rejects when the connection breaks. */
function sendRaw(head: string, body = Buffer.alloc(0), url = gateway.url): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('error', reject)
    socket.on('data', part => {
      text += part
    })
    socket.on('close', () => resolve(text))
    socket.write(head)
    socket.write(body)
  })
}

describe('a known path with a wrong method', () => {
  it('is answered by the world of its key and is in that world’s journal', async () => {
    const { world, key, control } = openWorld()
    await control('POST', '/clock/advance', { by: '1h' })
    const reply = await gateway.call('PUT', tasksPath, {}, { key })
    expect(reply.status).toBe(405)
    expect(reply.headers['x-emulator-world']).toBe(world)
    expect(Date.parse(reply.headers.date ?? '')).toBe(Date.parse(openingTime) + 3_600_000)
    const { items } = (await control('GET', '/requests')).body
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ operation: 'a.unknown', status: 405, fault: 'method_not_allowed' })
  })

  it('does not draw from the seed of the world default', async () => {
    const { key } = openWorld()
    await gateway.control('POST', '/reset')
    const first = await gateway.get(tasksPath)
    await gateway.control('POST', '/reset')
    await gateway.call('PUT', tasksPath, {}, { key })
    expect((await gateway.get(tasksPath)).headers['x-request-id']).toBe(first.headers['x-request-id'])
  })

  it('is 401 first when the key is wrong', async () => {
    for (const key of ['nothing', null]) {
      refusal(await gateway.call('PUT', tasksPath, {}, { key }), 401)
    }
    const { key } = openWorld()
    expect((await gateway.call('PATCH', tasksPath, {}, { key: `${key}.disabled` })).status).toBe(401)
  })
})

describe('the headers of a raw refusal', () => {
  const refused = async (headers: Record<string, string>, path: string) => {
    const world = openWorld()
    const refuse = { status: 429, retry_after: '5s', headers }
    await world.control('POST', '/scenarios', { name: 'raw', rules: [refusing(refuse)] })
    return headersOf(path, { Authorization: `Bearer ${world.key}`, Origin: 'http://page.local' })
  }

  it('replace those of the emulator in any spelling, and each is sent once', async () => {
    const own = {
      'retry-after': '77',
      date: 'Mon, 01 Jan 2024 00:00:00 GMT',
      'X-REQUEST-ID': 'mine',
      'access-control-allow-origin': 'http://page.local',
      'x-emulator-world': 'other',
      'content-type': 'text/css',
    }
    const found = await refused(own, tasksPath)
    for (const [name, value] of Object.entries(own))
      expect(found.filter(([header]) => header === name.toLowerCase())).toEqual([[name.toLowerCase(), value]])
  })

  it.each(['transfer-encoding', 'Trailer', 'Content-Length', 'connection', 'Keep-Alive', 'upgrade', 'TE'])(
    'must not contain %s, which would break the framing of the reply',
    async name => {
      const { control } = openWorld()
      const refuse = { status: 503, headers: { 'X-Fine': '1', [name]: 'chunked' } }
      const error = refusal(await control('POST', '/scenarios', { name: 'raw', rules: [refusing(refuse)] }))
      expect(error.message).toContain(name)
      expect(error.path).toContain(name)
      expect(error.hint).toContain('leave it out')
    },
  )

  it.each([
    ['a name with a blank', { 'x y': '1' }],
    ['a value with a line break', { 'X-A': 'a\r\nSet-Cookie: b' }],
    ['a value beyond Latin-1', { 'X-A': '猫' }],
    ['one name twice', { 'X-A': '1', 'x-a': '2' }],
  ])('must not contain %s', async (_what, headers) => {
    const { control } = openWorld()
    const rules = [refusing({ status: 503, headers })]
    expect((await control('POST', '/scenarios', { name: 'raw', rules })).status).toBe(400)
  })
})

describe('preflights', () => {
  const asked = (path: string, wanted?: string) =>
    gateway.call('OPTIONS', path, undefined, {
      key: null,
      headers: {
        Origin: 'http://page.local',
        'Access-Control-Request-Method': 'GET',
        ...(wanted && { 'Access-Control-Request-Headers': wanted }),
      },
    })

  it('for a file link allow every header that the server reads there, and have the Date of its world', async () => {
    const world = openWorld()
    const { url } = await videoOf(world)
    const { pathname } = new URL(url)
    const plain = await asked(pathname)
    for (const name of ['Range', 'If-None-Match', 'X-Emulator-Scenario'])
      expect(plain.headers['access-control-allow-headers']).toContain(name)
    const { now_ms } = (await world.control('GET', '/clock')).body
    expect(Date.parse(plain.headers.date ?? '')).toBe(Math.floor(now_ms / 1000) * 1000)
    const named = await asked(pathname, 'x-emulator-scenario')
    expect(named.headers['access-control-allow-headers']).toBe('x-emulator-scenario')
    expect((await world.control('GET', '/requests?operation=media.download')).body.items).toEqual([])
  })

  it('have the virtual Date on the emulated API, and draw nothing', async () => {
    await gateway.control('POST', '/reset')
    const first = await gateway.get(tasksPath)
    await gateway.control('POST', '/reset')
    const reply = await asked(tasksPath, 'authorization')
    expect(reply.status).toBe(204)
    expect(Date.parse(reply.headers.date ?? '')).toBe(Date.parse(openingTime))
    expect((await gateway.get(tasksPath)).headers['x-request-id']).toBe(first.headers['x-request-id'])
  })
})

it('a change that could not be written gives a 500, and the journal has its fault', async () => {
  const { dispatch, services, close } = assembleInMemory({ clock: { mode: 'manual', rate: 1 } })
  const { database } = services
  const commit = vi.spyOn(database, 'commit').mockRejectedValue(new Error('no space left on device'))
  const server = createServer(dispatch)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reply = await fetch(url + tasksPath, { headers: { Authorization: 'Bearer sk-test-full' } })
  expect(reply.status).toBe(500)
  expect(await reply.text()).toContain('could not be written')
  commit.mockRestore()
  const entries = services.worlds.find('full')?.journal.entries() ?? []
  expect(entries.map(({ status, fault }) => [status, fault])).toEqual([[500, 'internal']])
  server.closeAllConnections()
  server.close()
})

describe('a refusal before the body was read reaches a client that closes the connection', () => {
  const body = Buffer.alloc(6 * 1024 * 1024, 32)
  const early = (method: string, path: string, key: string, host = '127.0.0.1') =>
    headOf(method, path, {
      ...{ Host: host, Authorization: `Bearer ${key}` },
      ...{ 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
    })

  it.each([
    [401, 'POST', tasksPath, 'wrong'],
    [404, 'POST', '/nowhere', 'sk-test-early'],
    [405, 'PUT', tasksPath, 'sk-test-early'],
    [403, 'POST', '/__emulator/reset', ''],
  ])('%i for %s %s', async (status, method, path, key) => {
    const head = early(method, path, key, status === 403 ? 'evil.example' : undefined)
    const reply = await sendRaw(head, body)
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('413 above the limit', async () => {
    const small = await openGateway({ maxBodyBytes: 1000 })
    const reply = await sendRaw(early('POST', tasksPath, 'sk-test-early'), body, small.url)
    expect(reply).toMatch(/^HTTP\/1.1 413 /)
    expect(reply).toContain('larger than 1000 bytes')
  })
})

describe('a packed body', () => {
  const plain = Buffer.from(JSON.stringify(textBody()))
  const post = async (encoding: string, body: Buffer) => {
    const reply = await fetch(`${gateway.url}${tasksPath}`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer sk-test-packed',
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      },
      body: new Uint8Array(body),
    })
    return { status: reply.status, body: JSON.parse(await reply.text()) }
  }

  it.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['Deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['', plain],
  ])('in %j is read', async (encoding, body) => {
    expect(await post(encoding, body)).toMatchObject({ status: 200 })
  })

  it.each([
    ['gzip', plain],
    ['gzip', gzipSync(plain).subarray(0, 30)],
    ['br', gzipSync(plain)],
  ])('that is not whole or not in %j is refused with the header that says so', async (encoding, body) => {
    const error = refusal(await post(encoding, body))
    expect(error.message).toContain(`unpacked as its Content-Encoding says, ${encoding}`)
  })

  it('in an unknown encoding is refused with the known ones', async () => {
    const { body } = await post('zstd', plain)
    expect(body.error).toMatchObject({ param: 'Content-Encoding' })
    expect(body.error.message).toContain('"zstd" is not one of gzip, deflate, br')
  })
})

it('the last allowed download can be continued by ranges (A-downloads)', async () => {
  const world = openWorld()
  const { id, url } = await videoOf(world)
  const { body: state } = await world.control('GET', '/state')
  state.state.downloads = [[`${id}/video`, 99]]
  await world.control('PUT', '/state', state)
  const start = await gateway.download(url, { Range: 'bytes=0-999' })
  expect(start.status).toBe(206)
  for (const range of ['bytes=1000-', 'bytes=-10']) {
    const rest = await gateway.download(url, { Range: range })
    expect(rest.status).toBe(206)
  }
  for (const headers of [{}, { Range: 'bytes=0-' }, { Range: 'bytes=5-', 'If-Range': '"other"' }]) {
    const again = await gateway.download(url, headers as Record<string, string>)
    expect(again.status).toBe(403)
    expect(again.bytes.toString()).toContain('limit of 100 downloads')
  }
  expect((await world.control('GET', '/state')).body.state.downloads).toEqual([[`${id}/video`, 100]])
})

describe('the address without a path', () => {
  it('lists the emulator’s pages, as JSON and as HTML', async () => {
    const json = await gateway.get('/')
    expect(json.status).toBe(200)
    expect(json.body.console).toBe(`${gateway.url}/__emulator/`)
    expect(json.body.docs).toBe(`${gateway.url}/__emulator/docs`)
    const page = await gateway.call('GET', '/', undefined, { headers: { Accept: 'text/html' } })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain(`href="${gateway.url}/__emulator/docs"`)
  })

  it('leaves unknown paths and other methods at 404 (A-paths)', async () => {
    expect((await gateway.get('/index.html')).status).toBe(404)
    expect((await gateway.post('/', {})).status).toBe(404)
  })
})

it('the refusal of an unknown host names --public-url', async () => {
  const reply = await sendRaw(headOf('GET', '/__emulator/health', { Host: 'gateway.example' }))
  expect(reply).toMatch(/^HTTP\/1.1 403 /)
  expect(reply).toContain('--public-url http://gateway.example')
})

describe('traces and the request log', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

  it('the trace of a request is in the journal and in the story of its task', async () => {
    const { key, control } = openWorld()
    const made = await gateway.call('POST', tasksPath, textBody(), { key, headers: { traceparent } })
    const path = `${tasksPath}/${made.body.id}`
    for (let i = 0; i < 4; i++) await gateway.call('GET', path, undefined, { key, headers: { traceparent } })
    await gateway.call('GET', path, undefined, { key, headers: { traceparent: 'nonsense' } })
    const { items } = (await control('GET', '/requests')).body
    expect(items[0].trace_id).toBe(traceId)
    expect(items[0].request.headers.traceparent).toBe(traceparent)
    expect(items.at(-1).trace_id).toBeUndefined()
    const story = (await control('GET', `/tasks/${made.body.id}/story`)).body.items
    const traces = story.flatMap(({ trace_ids = [] }: { trace_ids?: string[] }) => trace_ids)
    expect(traces).toEqual([traceId, traceId])
  })

  it('has one line for each request of the emulated API, without keys and signatures', async () => {
    const lines: RequestLine[] = []
    const logger = { info() {}, error() {}, request: (line: RequestLine) => void lines.push(line) }
    const logged = await openGateway({ logger })
    const made = await logged.call('POST', tasksPath, textBody(), { headers: { traceparent } })
    await logged.get(`${tasksPath}/${made.body.id}`, 'sk-wrong key')
    await logged.control('GET', '/health')
    await logged.call('OPTIONS', tasksPath)
    await logged.get('/files/default/x/video.mp4?Expires=1&Signature=secret')
    expect(lines.map(({ operation, status }) => [operation, status])).toEqual([
      ['a.create', 200],
      ['a.get', 401],
      ['media.download', 400],
    ])
    const named = { world: 'default', account: 'default', task_id: made.body.id, trace_id: traceId }
    expect(lines[0]).toMatchObject({ at: openingTime, ...named })
    // What is absent is no key.
    for (const key of ['account', 'key_label', 'task_id', 'rule']) expect(lines[1]).not.toHaveProperty(key)
    // The clock of the machine, not that of the world.
    expect(lines[0]?.wall_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(lines[0]?.wall_at).not.toBe(openingTime)
    expect(JSON.stringify(lines)).not.toMatch(/secret|sk-/)
  })
})
