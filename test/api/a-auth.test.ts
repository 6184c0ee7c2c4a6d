import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import { expectError, image, tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfA)
const open = await openGateway({ auth: 'open' })

const operations: [string, string, string, unknown?][] = [
  ['a.create', 'POST', tasksPath, textBody()],
  ['a.get', 'GET', `${tasksPath}/cgt-20260301160000-bcdfg`],
  ['a.list', 'GET', tasksPath],
  ['a.delete', 'DELETE', `${tasksPath}/cgt-20260301160000-bcdfg`],
]
const unauthenticated = { status: 401, code: 'AuthenticationError', type: 'Unauthorized' }

describe('401 (Spec, "Authentication" 3)', () => {
  const causes: [string, string | undefined, string][] = [
    ['no header', undefined, 'the header is missing'],
    ['the key without "Bearer "', 'sk-emulator', 'the prefix "Bearer " is missing'],
    ['another scheme', 'Basic c2stZW11bGF0b3I6', 'the prefix "Bearer " is missing'],
    ['"bearer" in lower case', 'bearer sk-emulator', 'the prefix "Bearer " is missing'],
    ['no key after "Bearer"', 'Bearer', 'the prefix "Bearer " is missing'],
    ['two blanks before the key', 'Bearer  sk-emulator', 'extra whitespace'],
    ['a tab before the key', 'Bearer \tsk-emulator', 'extra whitespace'],
    ['whitespace inside', 'Bearer sk-emu lator', 'extra whitespace'],
    ['two keys', 'Bearer sk-emulator sk-emulator', 'extra whitespace'],
    ['an unknown key', 'Bearer sk-unknown', 'no such key'],
    ['a key without the prefix sk-', 'Bearer emulator', 'no such key'],
    ['other letters', 'Bearer SK-EMULATOR', 'no such key'],
    ['an invalid name of a world', 'Bearer sk-test-a/b', 'no such key'],
    ['a world’s name that is too long', `Bearer sk-test-${'w'.repeat(65)}`, 'no such key'],
    ['an invalid name of an account', 'Bearer sk-emulator.a.b', 'no such key'],
    ['a disabled key', 'Bearer sk-emulator.disabled', 'the key is disabled'],
    ['a deleted key', 'Bearer sk-emulator.deleted', 'the key is deleted'],
    ['a disabled key of a world', 'Bearer sk-test-elsewhere.disabled', 'the key is disabled'],
  ]

  it.each(causes)('%s', async (_, authorization, message) => {
    for (const [, method, path, body] of operations) {
      const reply = await gateway.call(method, path, body, {
        key: null,
        headers: authorization === undefined ? {} : { Authorization: authorization },
      })
      expectError(reply, { ...unauthenticated, message })
    }
    expect((await gateway.control('GET', '/tasks')).body.items).toEqual([])
    expect((await gateway.control('GET', '/ledger')).body.items).toEqual([])
  })

  it('is checked before the body', async () => {
    for (const body of ['{', textBody({ callback_url: 'x' }), {}])
      expectError(await gateway.call('POST', tasksPath, body, { key: 'sk-unknown' }), unauthenticated)
    shows('all.auth.disabled')
  })

  it('is the answer for a key that was disabled, until it is enabled again', async ({ client }) => {
    const id = await client.made()
    await client.control('PATCH', '/accounts/default', { disabled: true })
    expectError(await client.get(id), { ...unauthenticated, message: 'disabled' })
    await client.control('PATCH', '/accounts/default', { disabled: false })
    expect((await client.get(id)).status).toBe(200)
    shows('all.auth.disabled')
  })

  it('is in the journal of the key’s world, with the key masked', async ({ client }) => {
    expectError(await client.list('', `${client.key}.disabled`), unauthenticated)
    const { body } = await client.control('GET', '/requests')
    expect(body.items).toMatchObject([{ operation: 'a.list', status: 401, account: 'disabled' }])
    expect(JSON.stringify(body)).not.toContain(client.key)
  })

  it.each([
    ['Bearer 550e8400-e29b-41d4-a716-446655440000', 'Bearer 550e840…'],
    ['550e8400-e29b-41d4-a716-446655440000', '550e840…'],
    ['Bearer  sk-emulator sk-emulator', 'Bearer  sk-emul…'],
    ['Basic c2stZW11bGF0b3I6cGFzc3dvcmQ=', 'Basic c2stZW1…'],
    ['Bearer', 'Bearer…'],
  ])('is in the journal for a key of another service, with the key masked: %s', async (key, shown) => {
    await gateway.call('GET', tasksPath, undefined, { key: null, headers: { Authorization: key } })
    const { body } = await gateway.control('GET', '/requests?limit=1')
    expect(body.items[0].request.headers.authorization).toBe(shown)
  })

  it('is not the answer to a header with a blank at its end, because HTTP removes the blank', async () => {
    expect(await statusOf('Authorization: Bearer sk-emulator ')).toBe(200)
  })
})

/** The status of a list call whose headers are sent unchanged. */
function statusOf(header: string): Promise<number> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${tasksPath} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${header}\r\nConnection: close\r\n\r\n`,
      ),
    )
    socket.once('data', data => resolve(Number(data.toString('latin1', 9, 12))))
    socket.once('error', reject)
  })
}

describe('keys choose worlds and accounts', () => {
  it('a world cannot see the tasks of another, and neither can an account', async () => {
    const [one, two] = [world(), world()]
    const id = await one.made()
    expect((await one.list()).body.total).toBe(1)
    expect((await two.list()).body.total).toBe(0)
    expect((await one.list('', `${one.key}.other`)).body.total).toBe(0)
    expectError(await two.get(id), { status: 404 })
    await two.advance('1h')
    expect((await one.get(id)).body.status).toBe('queued')
  })

  it('a key may be used from many places at once; tasks belong to the account (Spec, "Authentication" 2)', async () => {
    const client = world()
    const ids = await Promise.all(Array.from({ length: 30 }, () => client.made()))
    expect((await client.list('?page_size=100')).body.total).toBe(30)
    for (const reply of await Promise.all(ids.map(id => client.get(id)))) expect(reply.status).toBe(200)
    shows('all.auth.many-places')
  })

  it('with --auth open, any sk- key is an account of its own; anything else is still 401', async () => {
    const made = await open.post(tasksPath, textBody(), 'sk-anything')
    expect(made.status).toBe(200)
    expect((await open.get(`${tasksPath}/${made.body.id}`, 'sk-anything')).status).toBe(200)
    expect((await open.get(`${tasksPath}/${made.body.id}`, 'sk-other')).status).toBe(404)
    // Real keys are longer than a name, and contain other characters.
    const [long, dotted] = [`sk-proj-${'x'.repeat(150)}`, 'sk-live.a/b=']
    const other = await open.post(tasksPath, textBody(), long)
    expect((await open.get(`${tasksPath}/${other.body.id}`, long)).status).toBe(200)
    expect((await open.get(`${tasksPath}/${other.body.id}`, `${long}y`)).status).toBe(404)
    expect((await open.get(`${tasksPath}/${other.body.id}`, dotted)).status).toBe(404)
    for (const key of ['anything', 'sk-', 'sk-a b', 'sk-emulator.disabled'])
      expect((await open.get(tasksPath, key)).status).toBe(401)
  })
})

describe('403 for a model the key may not use (Spec, "Authentication" 4)', () => {
  it('names the model, stores nothing and charges nothing', async ({ client }) => {
    await client.control('PATCH', '/accounts/other', { models: ['model_a_20'] })
    const refusal = { status: 403, code: 'AccessDenied', type: 'Forbidden', param: 'model' }
    const message = 'may not use the model model_a_25'
    await client.refused(textBody(), { ...refusal, message }, `${client.key}.other`)
    await client.made(textBody({ model: 'model_a_20' }), `${client.key}.other`)
    shows('all.auth.model-right')
  })

  it('is given for every published name of the model', async ({ client }) => {
    await client.control('PATCH', '/accounts/default', { models: ['model_a_20'] })
    for (const model of ['model_a_25-260628', 'doubao-seedance-2-5-260628'])
      await client.refused(textBody({ model }), { status: 403, message: model })
  })

  it('an unknown model is 400, whatever models the key may use (A-unknown-model)', async ({ client }) => {
    await client.refused(textBody({ model: 'nothing' }), { status: 400 }, `${client.key}.limited`)
  })

  it('is given after the check of the body’s shape and before that of its rules (A-order)', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/default', { models: [] })
    await client.refused(textBody({ callback_url: 'x', duration: 99 }), { status: 403 })
    await client.refused(textBody({ duration: 'long' }), { status: 400, param: 'duration' })
  })

  it('tasks that were made before can still be read', async ({ client }) => {
    const id = await client.made()
    await client.control('PATCH', '/accounts/default', { models: [] })
    expect((await client.get(id)).status).toBe(200)
  })
})

describe('the order of checks (A-order)', () => {
  it('checks forbidden fields, then rules, then media, then balance', async ({ client }) => {
    const poor = `${client.key}.poor`
    const faulty = {
      model: 'model_a_25',
      content: [text('a'), image(`${gateway.url}/__emulator/samples/none.jpg`, 'reference_image')],
      ratio: '16:9',
      duration: 30,
      resolution: '1080p',
    }
    await client.refused({ ...faulty, callback_url: 'x', duration: 99 }, { param: 'callback_url' }, poor)
    await client.refused({ ...faulty, duration: 99 }, { param: 'duration' }, poor)
    await client.refused(faulty, { param: 'content[1].image_url.url' }, poor)
    const overdue = { status: 403, code: 'AccountOverdueError' }
    await client.refused({ ...faulty, content: [text('a')] }, overdue, poor)
  })

  it('applies a scenario’s refusal right after the key', async ({ client }) => {
    const body = textBody({ content: [text('[[refuse:rate_limited]] a')], callback_url: 'x' })
    await client.refused(body, { status: 429 })
    expectError(await gateway.post(tasksPath, body, 'sk-unknown'), unauthenticated)
  })
})
