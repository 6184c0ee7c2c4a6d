// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { readFileSync } from 'node:fs'
import { constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { image, tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { pngClaiming, sample } from '../support/input-samples.ts'
import { type InputServer, startInputServer } from '../support/input-server.ts'
import { type PlainAnswer, plainClient } from '../support/plain-client.ts'

/** Names whose addresses the test can change between two look-ups. */
const names = vi.hoisted(() => new Map<string, string[]>())
vi.mock('node:dns/promises', () => ({
  lookup: async (host: string) => {
    const found = names.get(host)
    if (!found) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
    const address = found.length > 1 ? found.shift() : found[0]
    return [{ address, family: address?.includes(':') ? 6 : 4 }]
  },
}))

const gateway = await openGateway()
const open = await openGateway({ inputs: 'all' })
const client = plainClient(gateway.url)
afterAll(() => client.close())

const control = (path: string, headers: Record<string, string>, method = 'GET', body?: string) =>
  client.send({ method, path: `/__emulator${path}`, headers, ...(body !== undefined && { body }) })

describe('the control API does not answer for a foreign Host', () => {
  it.each([
    'evil.example',
    'EVIL.example:8585',
    'localhost.evil.example',
    'localhost.',
    '127.0.0.1.nip.io',
    '127.0.0.1.evil.example:8585',
    'evil@localhost',
    'evil.example#@localhost',
    'localhost/x',
    'localhost#evil.example',
    'localhost?evil',
    'localhost\\evil',
    'localhost:80:80',
    'localhost:99999',
    '0.0.0.0',
    '192.168.0.10',
    '169.254.169.254',
    '[::]',
    '[::2]',
    '[::1',
    '[fe80::1%25eth0]',
    'devbox:8585',
    'box.local',
    'xn--lcalhost-9of',
    ' ',
  ])('%j', async host => {
    const reply = await control('/clock', { Host: host })
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([403, 'forbidden_host'])
    const moved = await control('/clock/advance', { Host: host }, 'POST', '{"by":"1h"}')
    expect(moved.status).toBe(403)
    expect((await gateway.control('GET', '/clock')).body.now_ms).toBe(Date.parse('2026-03-01T08:00:00Z'))
  })

  it.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:65535',
    '127.9.9.9',
    'app.localhost:8585',
    '[::1]:8585',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]:1',
  ])('answers %s, which is this machine', async host => {
    expect((await control('/clock', { Host: host })).status).toBe(200)
  })

  it('answers the host of --host and of --public-url, in any spelling', async () => {
    const named = await openGateway({ host: 'Build-Box', publicUrl: 'https://Media.Example/base' })
    const six = await openGateway({ host: 'fd00::AB' })
    const ask = async (url: string, host: string) => {
      const one = plainClient(url)
      const { status } = await one.send({ method: 'GET', path: '/__emulator/clock', headers: { Host: host } })
      one.close()
      return status
    }
    expect(await ask(named.url, 'build-box:8585')).toBe(200)
    expect(await ask(named.url, 'MEDIA.example')).toBe(200)
    expect(await ask(six.url, '[fd00::ab]:8585')).toBe(200)
    expect(await ask(named.url, 'evil.example')).toBe(403)
    expect(await ask(six.url, '[fd00::ac]')).toBe(403)
  })
})

describe('the control API does not answer pages of a foreign Origin', () => {
  // test/api/origins.test.ts has more for the function that decides.
  it.each(['http://evil.example/http://localhost', 'http://[::2]', 'data:text/html,x'])(
    '%j',
    async origin => {
      const reply = await control('/clock', { Origin: origin })
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([403, 'forbidden_origin'])
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('on all of its endpoints and on the pages of the console', async () => {
    expect(controlEndpoints.length).toBeGreaterThan(30)
    const calls = controlEndpoints.map(({ method, paths: [path] }) => [method, path] as const)
    for (const [method, path] of [...calls, ['GET', '/'], ['GET', '/static/x.js']] as const) {
      const target = path.replace(/:\w+/g, 'x')
      const body = method === 'GET' ? undefined : '{}'
      for (const name of ['Host', 'Origin']) {
        const headers = { [name]: name === 'Host' ? 'evil.example' : 'https://evil.example' }
        expect((await control(target, headers, method, body)).status, `${method} ${path}`).toBe(403)
      }
    }
  })
})

describe('an invalid Host header', () => {
  it.each(['exa mple', '[::1', 'a:99999', ':', 'a/b', '127.0.0.1:80:80'])(
    'of %j does not make a create with a link fail, and appears in no link',
    async host => {
      const picture = image(`${gateway.url}/__emulator/samples/landscape.jpg`, 'reference_image')
      const body = JSON.stringify(textBody({ content: [picture] }))
      const known = { Authorization: 'Bearer sk-test-odd-host', 'Content-Type': 'application/json' }
      const headers = { ...known, Host: host }
      const reply = await client.send({ path: tasksPath, headers, body })
      expect(reply.status, reply.text).toBe(200)
      const { id } = await worldOfA(gateway, 'odd-host').finished()
      const shown = await client.send({ method: 'GET', path: `${tasksPath}/${id}`, headers })
      expect(shown.status, shown.text).toBe(200)
      // The address of --host and --port, not of the request.
      expect(new URL(JSON.parse(shown.text).content.video_url).origin).toBe('http://127.0.0.1:8585')
    },
  )
})

const a = worldOfA(gateway, 'links')
const answerOf = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  client.send({ method, path, headers })

describe('a changed link returns no file and does not count as a download', () => {
  let link: URL
  let other = ''
  beforeAll(async () => {
    link = new URL((await a.finished()).content.video_url)
    other = (await a.finished()).id
  })

  /** What is no path of a link at all is a 404. */
  // biome-ignore format: a table, one row a line
  const changes: readonly (readonly [string, (path: string, query: string) => string, status?: 404])[] = [
    ['another task', path => `${path.replace(/cgt-[^/]+/, other)}?@`],
    ['another world', path => `${path.replace('/links/', '/default/')}?@`],
    ['a world that does not exist', path => `${path.replace('/links/', '/nowhere/')}?@`, 404],
    ['another output', path => `${path.replace('video.', 'last_frame.')}?@`],
    ['an inherited name as output', path => `${path.replace('video.', 'constructor.')}?@`],
    ['another ending', path => `${path.replace('.mp4', '.mov')}?@`],
    ['a later expiry', (path, query) => `${path}?${query.replace(/Expires=(\d+)/, (_, n) => `Expires=${+n + 1}`)}`],
    ['the expiry in another notation', (path, query) => `${path}?${query.replace(/Expires=(\d+)/, 'Expires=$1.0')}`],
    ['the expiry in hexadecimal', (path, query) => `${path}?${query.replace(/\d{6,}/, n => `0x${(+n).toString(16)}`)}`],
    ['no expiry', (path, query) => `${path}?${query.replace(/Expires=\d+&/, '')}`],
    ['no signature', (path, query) => `${path}?${query.replace(/&Signature=.*/, '')}`],
    ['an empty signature', (path, query) => `${path}?${query.replace(/(Signature=).*/, '$1')}`],
    ['a signature cut short', (path, query) => `${path}?${query.slice(0, -1)}`],
    ['a longer signature', (path, query) => `${path}?${query}0`],
    ['a signature in capitals', (path, query) => `${path}?${query.replace(/Signature=.*/, s => s.toUpperCase())}`],
    ['a wrong signature before the right one', (path, query) => `${path}?Signature=x&${query}`],
    ['no query at all', path => path],
    ['an encoded slash', (path, query) => `${path.replace('/links/', '/links%2f')}?${query}`, 404],
    ['an encoded letter', (path, query) => `${path.replace('cgt', '%63gt')}?${query}`],
    ['an encoded dot', (path, query) => `${path.replace('.mp4', '%2emp4')}?${query}`, 404],
    ['a step up', (path, query) => `${path.replace('/links/', '/links/../links/')}?${query}`, 404],
    ['two slashes', (path, query) => `${path.replace('/links/', '/links//')}?${query}`, 404],
    ['a slash at the end', (path, query) => `${path}/?${query}`, 404],
    ['a NUL', (path, query) => `${path}%00?${query}`, 404],
    ['capitals', (path, query) => `${path.toUpperCase()}?${query}`, 404],
  ]

  const cases = changes.map(([what, change, status = 403]) => [what, change, status] as const)
  it.each(cases)('%s', async (_, change, status) => {
    const target = change(link.pathname, link.search.slice(1)).replace('?@', link.search)
    const reply = await answerOf(target)
    expect(reply.status, reply.text).toBe(status)
    expect(reply.headers['content-type']).not.toContain('video')
    const { body } = await a.control('GET', '/state')
    expect(body.state.downloads).toEqual([])
  })

  it('a change of any character of the signature is refused', async () => {
    const signature = link.searchParams.get('Signature') ?? ''
    for (let at = 0; at < signature.length; at++) {
      const wrong = signature.slice(0, at) + (signature[at] === '0' ? '1' : '0') + signature.slice(at + 1)
      expect((await answerOf(link.pathname + link.search.replace(signature, wrong))).status).toBe(403)
    }
  })

  it('the unchanged link works, so the refusals come from the changes', async () => {
    expect((await answerOf(link.pathname + link.search, 'HEAD')).status).toBe(200)
  })
})

describe('no path reaches a file outside the served folders', () => {
  const secret = readFileSync('package.json', 'utf8').slice(0, 200)
  const ways = [
    '..',
    '%2e%2e',
    '%2E%2e',
    '.%2e',
    '..%2f..',
    '..%5c..',
    '..\\..',
    '%252e%252e',
    '..;',
    '%c0%ae%c0%ae',
  ]
  const roots = [
    '/__emulator/samples/',
    '/__emulator/static/',
    '/__emulator/docs/',
    '/__emulator/',
    '/files/default/',
    '/',
  ]

  it.each(roots)('below %s', async root => {
    for (const way of ways) {
      for (const times of [1, 2, 3, 5]) {
        for (const end of ['package.json', 'etc/passwd', 'presets.json', 'fixtures/presets.json']) {
          const reply: PlainAnswer = await answerOf(`${root}${`${way}/`.repeat(times)}${end}`)
          // One name below a world is a link without its signature.
          const isLink = root.startsWith('/files/') && times === 1 && !end.includes('/')
          expect(reply.status, `${root} ${way} ${end}`).toBe(isLink ? 403 : 404)
          expect(reply.text).not.toContain(secret)
        }
      }
    }
  })

  it.each(['%00', 'landscape.jpg%00', '.', 'index.json/..', 'LANDSCAPE.JPG%20', '~'])(
    '%j is not a sample',
    async name => {
      expect((await answerOf(`/__emulator/samples/${name}`)).status).toBe(404)
    },
  )

  it('a file of a task has only one name', async () => {
    const { id } = await a.finished()
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '..', '..%2f..%2fx']) {
      const reply = await answerOf(`/__emulator/worlds/links/tasks/${id}/media/${name}`)
      expect(reply.status, `${name}: ${reply.text}`).toBe(404)
    }
  })

  it.each([
    ['/__emulator/worlds/%ff/', 400],
    ['/__emulator/worlds/%ff/docs', 400],
    ['/__emulator/worlds/%/docs', 400],
    ['/%ff', 404],
    ['/files/%ff', 404],
  ])('%s, which cannot be decoded, gets a %i', async (path, status) => {
    expect((await answerOf(path)).status).toBe(status)
  })
})

describe('inputs are not read from forbidden places (Spec, "Inputs")', () => {
  let server: InputServer
  beforeAll(async () => {
    server = await startInputServer((request, response) => {
      const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to')
      if (to) response.writeHead(302, { Location: to }).end()
      else response.writeHead(200, { 'Content-Type': 'image/png' }).end('not for you')
    })
  })
  afterAll(() => server.close())

  const redirected = (to: string, origin = server.origin) => `${origin}/?to=${encodeURIComponent(to)}`

  /** One of each form; fetch-policy.test.ts has every spelling for the function that decides. */
  const forbidden = [
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://metadata.google.internal/',
    'http://0.0.0.0/',
    'http://[fd00:ec2::254]/',
  ]

  const refusedIn = async (target: typeof gateway, url: string) => {
    const world = worldOfA(target, 'ssrf')
    const body = textBody({ content: [image(url, 'reference_image')] })
    const error = await world.refused(body, { code: 'InvalidParameter', param: 'content[0].image_url.url' })
    expect((await world.control('GET', '/tasks')).body.items).toEqual([])
    return error
  }

  it.each(forbidden)('%s, given or after a redirect, with every policy', async url => {
    for (const target of [gateway, open]) {
      for (const link of [url, redirected(url), redirected(redirected(url))]) await refusedIn(target, link)
    }
  })

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'data:image/png;base64,AAAA',
    'javascript:1',
  ])('a redirect to %s is not followed', async url => {
    await refusedIn(open, redirected(url))
  })

  it('a redirect to a private address is not followed where only loopback may be read', async () => {
    await refusedIn(gateway, redirected('http://10.0.0.1/a.png'))
  })

  it('a name whose address changes from public to link-local after the check: the checked address is used', async () => {
    names.set('rebinds.example', ['127.0.0.1', '169.254.169.254'])
    const before = server.asked.length
    // The first look finds this machine and is read from; the second, for the redirect, finds link-local.
    const origin = `http://rebinds.example:${server.port}`
    await refusedIn(open, redirected(`${origin}/again`, origin))
    expect(server.asked.slice(before).length).toBe(1)
  })

  it('the policy loopback makes no name look-up', async () => {
    names.set('quiet.example', ['127.0.0.1'])
    const before = server.asked.length
    const world = worldOfA(gateway, 'quiet')
    const content = [image(`http://quiet.example:${server.port}/x.png`, 'reference_image')]
    await world.made(textBody({ content }))
    expect(server.asked.length).toBe(before)
  })
})

describe('files that claim or unpack to huge sizes cost little memory', () => {
  const world = worldOfA(gateway, 'bombs')
  let server: InputServer
  beforeAll(async () => {
    server = await startInputServer((request, response) => {
      if (request.url === '/zip.png') {
        response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' })
        response.end(bombOf(300_000_000))
      } else if (request.url === '/long.wav') response.writeHead(200).end(endlessWave())
      else response.writeHead(200).end(pngClaiming(60_000, 60_000))
    })
  })
  afterAll(() => server.close())

  /** The memory that the work needed, in megabytes. */
  const costOf = async (work: () => Promise<unknown>) => {
    const before = process.memoryUsage().rss
    await work()
    return (process.memoryUsage().rss - before) / 1e6
  }

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a picture that claims 3.6 thousand million pixels', () => image(`${server.origin}/pixels.png`, 'reference_image')],
    ['the same picture in the request itself', () => image(`data:image/png;base64,${pngClaiming(60_000, 60_000).toString('base64')}`, 'reference_image')],
    ['a compressed answer of 300 MB', () => image(`${server.origin}/zip.png`, 'reference_image')],
    ['a recording of a moment whose header claims days', () => ({ type: 'audio_url', audio_url: { url: `${server.origin}/long.wav` }, role: 'reference_audio' })],
  ],
  )('%s', async (_, item) => {
    const content = [image(`${gateway.url}/__emulator/samples/landscape.jpg`, 'reference_image'), item()]
    const megabytes = await costOf(() => world.refused(textBody({ content }), { code: 'InvalidParameter' }))
    expect(megabytes).toBeLessThan(250)
  })

  /** The status of a create with such a body, after which the same connection must still answer. */
  const statusOf = async (encoding: string, body: Buffer) => {
    const one = plainClient(gateway.url, 1)
    const headers = { Authorization: 'Bearer sk-test-bombs', 'Content-Type': 'application/json' }
    const packed = { ...headers, 'Content-Encoding': encoding }
    const { status } = await one.send({ path: tasksPath, headers: packed, body })
    expect((await one.send({ method: 'GET', path: tasksPath, headers })).status).toBe(200)
    one.close()
    return status
  }

  it('a compressed request body above the limit is 413, and the connection continues', async () => {
    expect(await statusOf('gzip', bombOf(200_000_000, 32))).toBe(413)
  })

  it.each(['gzip', 'deflate', 'br'])(
    'a body that is not valid %s is refused, however long, and the connection continues',
    async encoding => {
      expect(await statusOf(encoding, Buffer.alloc(3_000_000, 7))).toBe(400)
    },
  )
})

const memberBytes = 10_000_000

/** The same byte many times, as a gzip file of equal members. It takes less than a hundredth of the room. */
function bombOf(bytes: number, byte = 0): Buffer {
  const member = gzipSync(Buffer.alloc(memberBytes, byte), { level: 1, strategy: constants.Z_RLE })
  return Buffer.concat(Array.from({ length: bytes / memberBytes }, () => member))
}

/** The beginning of a WAV whose header announces four gigabytes. */
function endlessWave(): Buffer {
  const wave = Buffer.from(sample('voice-8s.wav').subarray(0, 1044))
  for (const part of ['RIFF', 'data']) wave.writeUInt32LE(0xffffffff, wave.indexOf(part) + 4)
  return wave
}

describe('patterns that a backtracking engine never finishes', () => {
  const explosive = ['(x+)+y', '(x|x)*y', '(x*)*y', '(.*x){20}', 'x*x*x*x*x*x*y', '((x?){9}){9}y']
  const unsupported = ['^(?=(x+)+y)', '(?<a>x*)\\k<a>y', '(x{0,99}){0,99}y']
  const prompt = textBody({ content: [text('x'.repeat(1000))] })
  const scenario = (patterns: string[]) => ({
    name: 'explosive',
    rules: patterns.map(matches => ({
      when: { operation: 'a.create', prompt: { matches } },
      then: { refuse: { fault: 'moderated' } },
    })),
  })

  it.each(explosive)(
    '%s is matched against a long prompt, in a scenario and in a verification with the same result',
    async pattern => {
      const world = worldOfA(gateway, `pattern-${explosive.indexOf(pattern)}`)
      const { status, text } = await world.control('POST', '/scenarios', scenario([pattern]))
      expect(status, text).toBe(201)
      const made = await world.create(prompt)
      const match = { operation: 'a.create', prompt: { matches: pattern } }
      const verdict = await world.control('POST', '/requests/verify', { match })
      expect(verdict.body.found).toBe(made.status === 403 ? 1 : 0)
    },
  )

  it.each(unsupported)('%s needs a backtracking engine, and is refused with its path', async pattern => {
    const world = worldOfA(gateway, 'pattern-refused')
    const { status, body } = await world.control('POST', '/scenarios', scenario([pattern]))
    expect(status).toBe(400)
    expect(body.error.path).toBe('rules[0].when.prompt.matches')
    const match = { operation: 'a.create', prompt: { matches: pattern } }
    expect((await world.control('POST', '/requests/verify', { match })).status).toBe(400)
  })

  it('a scenario with a thousand of them is still answered', async () => {
    const world = worldOfA(gateway, 'pattern-thousand')
    const some = textBody({ content: [text('x'.repeat(120))] })
    const many = Array.from({ length: 1000 }, () => '(x)?x*x*x*y')
    expect((await world.control('POST', '/scenarios', scenario(many))).status).toBe(201)
    expect((await world.create(some)).status).toBe(200)
  })
})

describe('no document changes the prototype of all objects', () => {
  const payloads = [
    '{"__proto__":{"polluted":"yes"}}',
    '{"\\u005f_proto__":{"polluted":"yes"}}',
    '{"constructor":{"prototype":{"polluted":"yes"}}}',
    '{"a":[{"__proto__":{"polluted":"yes"}}]}',
  ]
  const within = (payload: string, text: string) => text.replace('"@"', payload)
  const documents: readonly (readonly [string, string, string])[] = [
    [
      'POST',
      '/scenarios',
      '{"name":"p","rules":[{"when":{"body":"@"},"then":{"refuse":{"status":400,"body":"@"}}}]}',
    ],
    ['POST', '/scenarios', '"@"'],
    ['POST', '/scenarios/check', '"@"'],
    ['PUT', '/state', '{"version":1,"state":"@"}'],
    ['PUT', '/state', '{"version":1,"state":{"head":"@","accounts":[["__proto__","@"]],"tasks":[]}}'],
    ['PATCH', '/accounts/__proto__', '"@"'],
    ['PATCH', '/accounts/constructor', '{"models":["__proto__"],"balance":1}'],
    ['POST', '/tasks', '{"family":"__proto__","kind":"constructor","request":"@"}'],
    ['POST', '/tasks', '{"family":"a","kind":"a","request":"@","plan":"@"}'],
    ['POST', '/tasks', '{"family":"a","kind":"toString","request":"@"}'],
    ['POST', '/worlds', '{"id":"__proto__","clock":"@"}'],
    ['POST', '/requests/verify', '{"match":{"body":"@"}}'],
    ['PUT', '/scenarios/active', '{"names":["__proto__","constructor"]}'],
    ['POST', '/snapshots', '{"name":"__proto__"}'],
  ]

  it.each(documents)('%s %s %s', async (method, path, text) => {
    for (const payload of payloads) {
      const reply = await gateway.control(method, path, within(payload, text))
      expect(reply.status, reply.text).toBeLessThan(500)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
      expect((Array.prototype as unknown as Record<string, unknown>).polluted).toBeUndefined()
    }
    expect((await gateway.control('GET', '/worlds')).status).toBe(200)
    expect((await gateway.control('GET', '/tasks')).status).toBe(200)
    expect((await gateway.control('GET', '/accounts')).status).toBe(200)
  })

  it('a request of the emulated API does not either, and inherited keys are not read from it', async () => {
    for (const payload of payloads) {
      const { status } = await gateway.post(tasksPath, payload as unknown as object, 'sk-test-proto')
      expect(status).toBe(400)
      const body = payload.replace(/^\{/, `{"model":"model_a_25","content":[{"type":"text","text":"x"}],`)
      const made = await gateway.call('POST', tasksPath, body, { key: 'sk-test-__proto__.constructor' })
      expect(made.status, made.text).toBe(200)
      const { body: state } = await gateway.control('GET', '/worlds/__proto__/state')
      expect(JSON.stringify(state)).not.toContain('"__proto__":{"polluted"')
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
