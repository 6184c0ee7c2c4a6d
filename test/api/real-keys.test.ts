import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { type DataGateway, openData, publicUrl } from '../support/data-gateway.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

/** Keys as services give them; some hold the name of an account template. */
const realKeys = [
  'sk-poor-9f8e7d6c5b4a',
  'sk-disabled',
  'sk-limited',
  'sk-throttled-key',
  'sk-ABCdef123456_short',
  `sk-proj-${'x7'.repeat(90)}`,
  'sk-live.with/odd+signs=and"quotes',
]
/** Refused with 401: not of a form that `--auth open` takes. */
const foreignKeys = ['550e8400-e29b-41d4-a716-446655440000', 'AKIAabcdefghij0123456789', 'A$&Babcdefghij012']

const accountOf = (key: string) => `key-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

describe('real keys with --auth open (docs/worlds-and-clock.md, "Worlds")', () => {
  const dir = ownFolder('real-keys')
  const lines: unknown[] = []
  const keep = (...line: unknown[]) => void lines.push(line)
  let gateway: DataGateway
  const ear = new AbortController()
  let heard = ''
  beforeAll(async () => {
    const logger = { info: keep, error: keep, request: keep }
    gateway = await openData(dir, { auth: 'open', seed: 3, logger })
    await listen()
    for (const key of [...realKeys, ...foreignKeys]) await useKey(key)
    await gateway.send('POST', '/__emulator/snapshots', { name: 'kept' })
  })
  afterAll(async () => {
    ear.abort()
    await gateway.close()
  })

  /** Follows the live events of `default`. */
  async function listen(): Promise<void> {
    const { body } = await fetch(`${gateway.url}/__emulator/events`, { signal: ear.signal })
    const read = async () => {
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) heard += text
    }
    read().catch(() => undefined)
  }

  /** As careless clients do: the key is also in the address, in other headers, and where no key belongs. */
  async function useKey(key: string): Promise<void> {
    const call = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}${path}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...headers } })
    const json = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(textBody({ model: 'model_a_20', resolution: '480p', duration: 4 }))
    const made = await call(tasksPath, { method: 'POST', body }, json)
    expect(made.status).toBe(realKeys.includes(key) ? 200 : 401)
    expect(await made.text()).not.toContain(key)
    const spelled = encodeURIComponent(key)
    const others = { 'X-Api-Key': key, 'X-Emulator-Scenario': 'happy-path', Cookie: `key=${key}` }
    await (await call(`${tasksPath}?api_key=${spelled}&${spelled}=1`, {}, others)).text()
    await (await call(`/api/v3/${key}/nowhere`)).text()
    await (await call(`/nowhere?token=${spelled}`, {}, { Authorization: key })).text()
    await (await call(tasksPath, { method: 'POST', body: `{"model": "${key}"` }, json)).text()
    await gateway.send('POST', '/__emulator/clock/advance', { until: 'idle' })
    const list = (await (await call(tasksPath)).json()) as { items?: { content: { video_url: string } }[] }
    for (const { content } of list.items ?? [])
      await (await call(content.video_url.replace(publicUrl, ''))).text()
    const match = { operation: 'a.create', key: { equals: `${key}x` } }
    const verified = await gateway.send('POST', '/__emulator/requests/verify', { match })
    expect(verified.text).not.toContain(key)
  }

  const secrets = [...realKeys, ...foreignKeys].flatMap(key => [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    // Not even without its beginning.
    key.slice(8).length >= 8 ? key.slice(8) : key,
  ])
  const expectNone = (text: string, place: string) => {
    for (const secret of secrets) expect(text.includes(secret), `${secret} in ${place}`).toBe(false)
  }

  it('names each account by the digest of its key, with the default template', async () => {
    const { body } = await gateway.send('GET', '/__emulator/accounts')
    const { items } = body as unknown as { items: { id: string; template: string; status: string }[] }
    expect(items.filter(({ id }) => id.startsWith('key-'))).toEqual(
      realKeys.map(key =>
        expect.objectContaining({ id: accountOf(key), template: 'default', status: 'active' }),
      ),
    )
  })

  it('has no key in any reply of the control API', async () => {
    const tasks = (await gateway.send('GET', '/__emulator/tasks?limit=1000')).body as unknown as {
      items: { id: string }[]
    }
    expect(tasks.items).toHaveLength(realKeys.length)
    const plain = controlEndpoints.filter(
      ({ method, paths: [path] }) =>
        method === 'GET' && !path.includes(':') && !['/events', '/certificate.pem'].includes(path),
    )
    expect(plain.length).toBeGreaterThan(15)
    for (const { paths } of plain)
      expectNone((await gateway.send('GET', `/__emulator${paths[0]}`)).text, paths[0])
    for (const { id } of tasks.items)
      for (const path of [`/tasks/${id}`, `/tasks/${id}/story`])
        expectNone((await gateway.send('GET', `/__emulator${path}`)).text, path)
    const har = await gateway.send('GET', '/__emulator/requests?limit=1000&format=har')
    // Keys inside paths are the matter of a recording (test/recordings/kept-places.test.ts).
    const { entries } = (har.body as unknown as { log: { entries: { request: { url: string } }[] } }).log
    const usual = entries.filter(({ request }) => !/nowhere|\?/.test(request.url))
    expect(usual.length).toBeGreaterThan(realKeys.length * 3)
    for (const entry of usual) expectNone(JSON.stringify(entry), 'the journal as HAR')
  })

  it('has no key in any live event', async () => {
    const known = (await gateway.send('GET', '/__emulator/requests?limit=1')).body as unknown as {
      items: { id: string }[]
    }
    await expect.poll(() => heard, { timeout: 20_000 }).toContain(known.items[0]?.id)
    expect(heard.match(/^event: request$/gm)?.length).toBeGreaterThan(realKeys.length * 5)
    expectNone(heard, 'the live events')
  })

  it('has no key in any line of the log', () => {
    expect(lines.length).toBeGreaterThan(realKeys.length * 5)
    expectNone(JSON.stringify(lines), 'the log')
  })

  it('has no key in any byte of the data directory', () => {
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      expectNone(file.name, 'the name of a file')
      expectNone(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name)
    }
  })

  it('masks keys that a client puts into texts, in every view but the documents that are sent back', async () => {
    const key = (place: string) => `sk-svc-0123456789ab-${place}`
    const call = (body: object, headers = {}) =>
      fetch(`${gateway.url}${tasksPath}`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const text = textBody({ model: 'model_a_20', [key('name')]: key('unread') })
    const content = [{ type: 'text', text: `a cat ${key('prompt')}` }]
    const made = await call({ ...text, content }, { 'X-Client-Request-Id': key('client') })
    const { id } = (await made.json()) as { id: string }
    await (await call({ ...text, model: key('model') })).text()
    const control = (method: string, path: string, body?: object) =>
      gateway.send(method, `/__emulator${path}`, body)
    const error = { code: key('code'), message: key('message') }
    const match = { prompt: { contains: key('wanted') }, header: { 'x-api-key': 'not this one' } }
    const replies = [
      await control('POST', `/tasks/${id}/force`, { status: 'failed', error }),
      await control('GET', '/tasks'),
      await control('GET', `/tasks/${id}/story`),
      await control('GET', '/requests'),
      await control('POST', '/requests/verify', { match }),
      await control('GET', '/trace'),
      await control('GET', '/accounts'),
    ]
    await expect(control('PATCH', `/accounts/${key('account')}`, { balance: 3 })).rejects.toThrow(
      'is a key, not an account',
    )
    for (const [index, reply] of replies.entries())
      expect(reply.text.match(/sk-svc-0\S{20}/), `reply ${index}`).toBeNull()
    expect(heard).not.toContain('sk-svc-0')
  })

  it('masks a key in the same way wherever it stands', async () => {
    const { body } = await gateway.send('GET', '/__emulator/requests?limit=1000')
    const { items } = body as unknown as {
      items: { path: string; request: { headers: Record<string, string> } }[]
    }
    const one = items.find(({ path, request }) => path.includes('api_key') && request.headers['x-api-key'])
    const shown = one?.request.headers.authorization?.replace('Bearer ', '')
    expect(shown).toMatch(/^sk-.{4}…$/)
    expect(one?.request.headers['x-api-key']).toBe(shown)
    expect(one?.path).toContain('api_key=…')
  })
})
