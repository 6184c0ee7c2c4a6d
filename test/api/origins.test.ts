import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foreignPage, isForeign } from '../../src/emulator/http/origin.ts'
import { packagePath } from '../../src/emulator/package/files.ts'
import { textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { refusal } from '../support/own-world.ts'

oneVideoForAll()

const lines: string[] = []
const logger = { info: (_detail: object, message: string) => void lines.push(message), error: () => {} }
const gateway = await openGateway({ logger })
const open = await openGateway({ cors: 'any', logger })
const named = await openGateway({
  host: '203.0.113.9',
  publicUrl: 'https://gateway.example.com:8443',
  logger,
})
const tasks = '/api/v3/contents/generations/tasks'
const key = 'sk-emulator'

const create = (headers: Record<string, string>, at = gateway) =>
  at.call('POST', tasks, textBody(), { key, headers })
const preflight = (origin: string, path = tasks, at = gateway) =>
  at.call('OPTIONS', path, undefined, {
    key: null,
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })

/** What a hostile page would change: tasks, requests of the journal, open worlds, and the id of the next request. */
async function traces(at = gateway) {
  const ask = async (path: string) => (await at.control('GET', path)).body.items.length
  return [await ask('/tasks'), await ask('/requests'), await ask('/worlds')]
}

const local = [
  'http://localhost:3000',
  'https://localhost',
  'http://localhost.:3000',
  'http://127.0.0.1:5173',
  'http://127.1.2.3',
  'http://[::1]:8080',
  'http://[::ffff:127.0.0.1]:8080',
  'http://0.0.0.0:3000',
  'http://10.1.2.3',
  'http://172.16.0.1:3000',
  'http://172.31.255.255',
  'http://192.168.0.7:3000',
  'http://169.254.10.10',
  'http://[fd12:3456::1]:3000',
  'http://[fe80::1]',
  'http://devbox:3000',
  'https://My-Laptop.local',
  'http://app.localhost:3000',
  'https://web.team.internal',
  'capacitor://localhost',
]

describe.each(['http://localhost:3000', 'https://web.team.internal'])('a page of %s', origin => {
  it('may use the emulated API and read files', async () => {
    const before = await preflight(origin)
    expect([before.status, before.headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(before.headers.vary).toContain('Origin')
    const made = await create({ Origin: origin })
    const { 'access-control-allow-origin': allowed, vary } = made.headers
    expect([made.status, allowed, vary]).toEqual([200, origin, 'Origin'])
    const refused = await gateway.call('GET', tasks, undefined, { key: 'sk-no', headers: { Origin: origin } })
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, origin])
  })
})

const foreign = [
  'https://evil.example',
  'http://evil.example:8585',
  'null',
  'file://',
  'http://127.0.0.1.nip.io:8585',
  'https://localhost.evil.example',
  'https://evillocal.example',
  'http://local.example.com',
  'http://app.notlocal',
  'http://172.32.0.1',
  'http://172.15.0.1',
  'http://11.0.0.1',
  'http://192.169.0.1',
  'http://100.64.0.1',
  'http://203.0.113.5',
  'http://[2001:db8::1]',
  'http://[fec0::1]',
  'http://localhost@evil.example',
  'chrome-extension://abcdefgh',
  'nonsense',
  'http://',
]

it('which origins are local, for the emulated API and for the control API', () => {
  const names = { cors: 'local', host: '127.0.0.1' } as const
  expect(local.filter(origin => foreignPage({ origin }, names) !== undefined)).toEqual([])
  expect(foreign.filter(origin => foreignPage({ origin }, names) !== `of the origin ${origin}`)).toEqual([])
  expect(foreign.filter(origin => foreignPage({ origin }, { ...names, cors: 'any' }))).toEqual([])
  expect(foreign.filter(origin => !isForeign(origin, names))).toEqual([])
})

describe.each(['https://evil.example', 'null'])('a page of %j', origin => {
  it('may not act, read or get past a preflight, and leaves nothing behind', async () => {
    const before = await traces()
    const asked = [
      await preflight(origin),
      await create({ Origin: origin }),
      await gateway.call('GET', tasks, undefined, { key, headers: { Origin: origin } }),
      // A form or a fetch without CORS, which no preflight precedes.
      await gateway.call('POST', tasks, '{"model":"x"}', {
        key: null,
        headers: { Origin: origin, 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'cross-site' },
      }),
      await gateway.call('POST', '/nothing/here', undefined, { key, headers: { Origin: origin } }),
      await gateway.call('PUT', tasks, undefined, { key, headers: { Origin: origin } }),
    ]
    for (const { status, headers, body } of asked) {
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
      expect(body.error.code).toBe('forbidden_origin')
      expect(body.error.message).toContain('--cors any')
    }
    expect(await traces()).toEqual(before)
  })

  it('is named by a line in the log, with the option', async () => {
    lines.length = 0
    await preflight(origin)
    expect(lines).toEqual([expect.stringContaining(`OPTIONS ${tasks} was refused`)])
    expect(lines[0]).toContain(origin)
    expect(lines[0]).toContain('--cors any')
  })

  it('may do everything with --cors any', async () => {
    const before = await preflight(origin, tasks, open)
    expect([before.status, before.headers['access-control-allow-origin']]).toEqual([204, '*'])
    const made = await create({ Origin: origin }, open)
    expect([made.status, made.headers['access-control-allow-origin']]).toEqual([200, '*'])
  })

  it('may not use the control API, also with --cors any', async () => {
    const reply = await open.call('GET', '/__emulator/clock', undefined, { headers: { Origin: origin } })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([403, undefined])
  })
})

it('pages of the configured host and of the public URL are allowed, on any port', async () => {
  const own = ['https://gateway.example.com', 'http://gateway.example.com:3000', 'http://203.0.113.9:3000']
  for (const origin of own) {
    const { status, headers } = await create({ Origin: origin }, named)
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin])
  }
  expect((await create({ Origin: 'https://www.gateway.example.com' }, named)).status).toBe(403)
})

describe('requests without an Origin', () => {
  it('of programs are answered as ever, whatever their Host', async () => {
    for (const headers of [{}, { Host: 'gateway.vendor.example' }, { 'User-Agent': 'python-requests/2' }])
      expect((await create(headers as Record<string, string>)).status).toBe(200)
  })

  it('by pictures and frames of another site leave nothing behind in the emulated API', async () => {
    const before = await traces()
    for (const path of [tasks, '/nothing', '/_links/x']) {
      const fetched = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
      const headers = { 'Sec-Fetch-Site': 'cross-site', ...fetched }
      const { status } = await gateway.call('GET', path, undefined, { key: null, headers })
      expect(status, path).toBe(403)
    }
    expect(await traces()).toEqual(before)
  })

  it('by a page whose public name leads here are refused (DNS rebinding: its calls are of the same origin)', async () => {
    const rebound = { Host: 'evil.example:8585', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
    const before = await traces()
    const read = await gateway.call('GET', tasks, undefined, { key, headers: rebound })
    expect([read.status, read.body.error.code]).toEqual([403, 'forbidden_origin'])
    const made = await create({ ...rebound, Origin: 'http://evil.example:8585' })
    expect(made.status).toBe(403)
    expect(await traces()).toEqual(before)
    for (const Host of ['localhost:8585', '192.168.1.5:8585', 'devbox:8585', '203.0.113.5', 'box.local']) {
      const headers = { ...rebound, Host }
      expect((await gateway.call('GET', tasks, undefined, { key, headers })).status).toBe(200)
    }
  })
})

describe('result links', () => {
  const linkOf = async (at = gateway) => {
    const { id } = (await create({}, at)).body
    await at.control('POST', '/clock/advance', { until: 'idle' })
    return String((await at.get(`${tasks}/${id}`)).body.content.video_url)
  }

  it('are read by pages of a front end, and shown by any page without CORS', async () => {
    const url = await linkOf()
    const read = await gateway.download(url, { Origin: 'http://localhost:3000', Range: 'bytes=0-9' })
    const allowed = read.headers.get('access-control-allow-origin')
    expect([read.status, allowed]).toEqual([206, 'http://localhost:3000'])
    const shown = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'video' }
    expect((await gateway.download(url, shown)).status).toBe(200)
  })

  it('are not read by pages of public origins, unless --cors any', async () => {
    const url = await linkOf()
    const read = await gateway.download(url, { Origin: 'https://evil.example' })
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([403, null])
    const any = await open.download(await linkOf(open), { Origin: 'null' })
    expect([any.status, any.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})

describe('the control API and a browser’s `Sec-Fetch-Site: cross-site`', () => {
  const cross = { 'Sec-Fetch-Site': 'cross-site' }
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    gateway.call(method, `/__emulator${path}`, method === 'GET' ? undefined : '{}', { key: null, headers })

  it.each([
    ['GET', '/health', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['GET', '/worlds/default/tasks', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
    ['GET', '/events', { 'Sec-Fetch-Mode': 'no-cors' }],
    ['POST', '/reset', { 'Sec-Fetch-Mode': 'no-cors', 'Content-Type': 'text/plain' }],
    ['POST', '/reset', { 'Sec-Fetch-Mode': 'navigate', 'Content-Type': 'text/plain', Origin: 'null' }],
    ['GET', '/', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
    ['GET', '/static/x.js', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
    ['GET', '/', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', Host: 'evil.example' }],
  ])('%s %s with %j is 403', async (method, path, headers) => {
    refusal(await ask(path, { ...cross, ...(headers as Record<string, string>) }, method), 403)
  })

  it.each([
    ['/', existsSync(packagePath('dist/console/index.html')) ? 200 : 503, undefined],
    ['/docs', 302, '/__emulator/guide'],
    ['/guide', 200, undefined],
    ['/guide/ci', 200, undefined],
  ])('a link on any site opens %s', async (path, expected, location) => {
    const headers = { ...cross, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const reply = await ask(path, headers)
    expect([reply.status, reply.headers.location]).toEqual([expected, location])
  })

  it('an allowed Origin, the same site and a typed address are answered', async () => {
    expect((await ask('/health', { ...cross, Origin: 'http://127.0.0.1:3000' })).status).toBe(200)
    for (const site of ['same-origin', 'same-site', 'none'])
      expect((await ask('/health', { 'Sec-Fetch-Site': site })).status).toBe(200)
  })
})
