// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, test } from 'vitest'
import { shippedNames } from '../../src/emulator/scenarios/known-scenarios.ts'
import { asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { creating, ofEachFamily, rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { accepted, refusal } from '../support/own-world.ts'

const gateway = await openGateway()
const client = () => clientOf(rowNamed('a.create'), gateway)
const it = test.extend('c', () => client())
const refusing = (name: string, when: unknown = {}) => ({
  name,
  rules: [{ when, then: { refuse: { fault: 'unavailable' } } }],
})

describe('GET /scenarios', () => {
  it('lists the available scenarios with their source, and the active ones', async () => {
    const { control } = await client()
    const body = accepted(await control('GET', '/scenarios'))
    expect(body.active).toEqual([])
    expect(body.available.map(({ name }: { name: string }) => name)).toEqual([...shippedNames])
    for (const { description, source } of body.available) {
      expect(description).not.toBe('')
      expect(source).toBe('shipped')
    }
  })

  it('shows a scenario with its document; an unknown one is 404', async () => {
    const { control } = await client()
    const { body } = await control('GET', '/scenarios/outage')
    expect(body).toMatchObject({ name: 'outage', source: 'shipped', document: { name: 'outage' } })
    expect((await control('GET', '/scenarios/nope')).status).toBe(404)
  })
})

describe('PUT /scenarios/active', () => {
  it('activates exactly the given scenarios, in that order, and resets their counters', async ({ c }) => {
    await c.use('rate-limited', 'outage')
    expect((await c.control('GET', '/scenarios')).body.active).toEqual(['rate-limited', 'outage'])
    await c.use('flaky-upstream')
    for (const status of [429, 429, 200]) expect((await c.create()).status).toBe(status)
    await c.use('flaky-upstream')
    expect((await c.create()).status).toBe(429)
    await c.use()
    expect((await c.create()).status).toBe(200)
  })

  it('acts from the call that "since" names, for as long as it says, whatever operation is called', async () => {
    const [key, tasksPath] = ['sk-test-since-call', '/api/v3/contents/generations/tasks']
    const control = gateway.controlOf('since-call')
    const since = { operation: 'a.get', call: 2, for: '30s' }
    const rules = [{ when: { since }, then: { refuse: { status: 418 } } }]
    expect((await control('POST', '/scenarios', { name: 'own', rules })).status).toBe(201)
    const list = async () => (await gateway.get(tasksPath, key)).status
    const poll = async () => (await gateway.get(`${tasksPath}/cgt-20260101000000-aaaaa`, key)).status
    expect([await list(), await poll(), await list()]).toEqual([200, 404, 200])
    expect([await poll(), await list()]).toEqual([418, 418])
    await control('POST', '/clock/advance', { by: '29s' })
    expect(await list()).toBe(418)
    await control('POST', '/clock/advance', { by: '1s' })
    expect([await list(), await poll()]).toEqual([200, 404])
  })

  it('counts the time of "during" from the activation', async ({ c }) => {
    await c.use('outage')
    await c.advance('10m')
    expect((await c.create()).status).toBe(200)
    await c.use('outage')
    expect((await c.create()).status).toBe(503)
  })

  it.each([
    [{ names: ['flaky-upsteam'] }, 'names[0]', 'did you mean flaky-upstream?'],
    [{ names: ['outage', 'zzzzzzzzzzzzzzz'] }, 'names[1]', undefined],
    [{ names: 'outage' }, 'names', undefined],
    [{ names: [7] }, 'names[0]', undefined],
    [{ active: ['outage'] }, undefined, undefined],
    [{}, undefined, undefined],
    ['[]', undefined, undefined],
    ['{', undefined, undefined],
  ])('refuses %j with 400 and changes nothing', async (body, path, hint) => {
    const c = await client()
    await c.use('outage')
    const error = refusal(await c.control('PUT', '/scenarios/active', body))
    expect(error).toMatchObject({ ...(path && { path }), ...(hint && { hint }) })
    expect((await c.control('GET', '/scenarios')).body.active).toEqual(['outage'])
  })
})

describe('POST /scenarios', () => {
  it('checks a document, stores it in this world only, and activates it', async () => {
    const [mine, other] = [await client(), await client()]
    const reply = await mine.control('POST', '/scenarios', refusing('mine'))
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ name: 'mine', source: 'world', active: ['mine'] })
    expect((await mine.create()).headers['x-emulator-rule']).toBe('mine/1')
    expect((await other.create()).status).toBe(200)
    expect((await other.control('GET', '/scenarios/mine')).status).toBe(404)
  })

  it('adds to the active ones, and replaces one of the same name in its place', async ({ c }) => {
    await c.use('happy-path')
    await c.post(refusing('mine', { call: 1 }))
    await c.post(refusing('yours', { call: 99 }))
    expect((await c.create()).status).toBe(503)
    await c.post(refusing('mine', { call: 2 }))
    expect((await c.control('GET', '/scenarios')).body.active).toEqual(['happy-path', 'mine', 'yours'])
    expect([(await c.create()).status, (await c.create()).status]).toEqual([200, 503])
  })

  it('refuses a document with path and hint (unit/scenario-load.test.ts has every kind)', async () => {
    const document = refusing('x', { operation: 'a.craete' })
    const c = await client()
    const { status, body } = await c.control('POST', '/scenarios', document)
    expect([status, body.error.path]).toEqual([400, 'rules[0].when.operation'])
    expect(body.error.hint).toContain('a.create')
    expect((await c.control('GET', '/scenarios')).body.active).toEqual([])
    expect((await c.control('POST', '/scenarios/check', document)).status).toBe(400)
  })

  it('can check a document without changing anything', async ({ c }) => {
    const { status, body } = await c.control('POST', '/scenarios/check', refusing('mine'))
    expect([status, body]).toEqual([200, { ok: true, name: 'mine', rules: 1, warnings: [] }])
    expect((await c.create()).status).toBe(200)
  })

  it('ignores __proto__ in a document', async ({ c }) => {
    const text = '{"name":"x","rules":[],"__proto__":{"polluted":true}}'
    expect((await c.control('POST', '/scenarios', text)).status).toBe(201)
    expect((await c.control('GET', '/scenarios/x')).text).not.toContain('polluted')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('DELETE /scenarios/{name}', () => {
  it('deactivates a posted one and removes it', async ({ c }) => {
    await c.post(refusing('mine'))
    expect((await c.control('DELETE', '/scenarios/mine')).body.active).toEqual([])
    expect((await c.control('GET', '/scenarios/mine')).status).toBe(404)
    expect((await c.create()).status).toBe(200)
  })

  it('only deactivates a shipped one', async ({ c }) => {
    await c.use('outage')
    expect((await c.control('DELETE', '/scenarios/outage')).status).toBe(200)
    expect((await c.create()).status).toBe(200)
    expect((await c.control('GET', '/scenarios/outage')).status).toBe(200)
  })

  it('is 404 for an unknown one and 409 for a shipped one that is not active', async ({ c }) => {
    expect((await c.control('DELETE', '/scenarios/nope')).status).toBe(404)
    expect((await c.control('DELETE', '/scenarios/outage')).status).toBe(409)
  })
})

describe('worlds', () => {
  it('open with scenarios, and refuse unknown names with 400 and the nearest one', async () => {
    const made = await gateway.control('POST', '/worlds', { id: 'with-outage', scenarios: ['outage'] })
    expect(made.body.scenarios).toEqual(['outage'])
    const error = refusal(await gateway.control('POST', '/worlds', { id: 'never', scenarios: ['outge'] }))
    expect(error).toMatchObject({ path: 'scenarios[0]', hint: 'did you mean outage?' })
    expect((await gateway.control('GET', '/worlds/never')).status).toBe(404)
  })

  it('are opened by a request with their key, and a wrong name is refused', async () => {
    expect((await gateway.control('GET', '/worlds/lazy')).status).toBe(404)
    await gateway.get('/api/v3/contents/generations/tasks', 'sk-test-lazy')
    expect((await gateway.control('GET', '/worlds/lazy')).body.id).toBe('lazy')
    expect((await gateway.control('GET', '/worlds/no%20name/clock')).status).toBe(400)
  })
})

describe.each(creating)('without an active scenario, $title', row => {
  it('applies a scenario named in X-Emulator-Scenario to this one request', async () => {
    const c = await clientOf(row, gateway, `trigger-${row.title.replaceAll('.', '-')}`)
    const reply = await c.create(undefined, { 'X-Emulator-Scenario': 'rate-limited' })
    expect([reply.status, reply.headers['x-emulator-rule']]).toEqual([429, 'rate-limited/1'])
    expect((await c.create()).status).toBe(200)
    const unknown = await c.create(undefined, { 'X-Emulator-Scenario': 'rate-limitd' })
    expect(unknown.status).toBe(400)
    expect(unknown.text).toContain('rate-limited')
  })
})

const prompted = creating.filter(({ endpoint }) => (endpoint.reads?.prompts.length ?? 0) > 0)

it.each(prompted.map(row => [row.title, row] as const))(
  'a prompt tag of %s is removed from the prompt that the task stores',
  async (_, row) => {
    const c = await clientOf(row, gateway)
    accepted(await c.create('a red kite [[media:truncated]] above the sea'))
    const task = await c.newest()
    expect(JSON.stringify(task.request)).toContain('a red kite above the sea')
    expect(JSON.stringify(task)).not.toContain('[[')
    expect(task.media_fault).toEqual({ kind: 'truncated' })
  },
)

describe.each(ofEachFamily(prompted))('a prompt tag of $title', row => {
  const it = test.extend('c', () => clientOf(row, gateway))

  it('[[refuse:moderated]] refuses, and costs nothing', async ({ c }) => {
    const reply = await c.create('a red kite [[refuse:moderated]] above the sea')
    expect(reply.status).toBe(403)
    expect(reply.headers['x-emulator-rule']).toBe('prompt/refuse')
    expect((await c.control('GET', '/ledger')).body.items).toEqual([])
  })

  it('that is unknown gives a 400 that names the nearest one', async ({ c }) => {
    const reply = await c.create('a red kite [[refus:moderated]]')
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('[[refuse:')
    expect((await c.control('GET', '/tasks')).body.items).toEqual([])
  })
})

describe.each(ofEachFamily(prompted.filter(row => asynchronous.includes(row))))(
  'a prompt tag of $title',
  row => {
    const it = test.extend('c', () => clientOf(row, gateway))

    it('[[queue]], [[run]] and [[fail]] change the task', async ({ c }) => {
      const id = await c.made('a red kite [[queue:30s]] [[run:2m]] [[fail:Oops]]')
      const { body } = await c.advance({ until: 'idle' })
      const offsets = body.events.map(
        ({ at }: { at: string }) => Date.parse(at) - Date.parse('2026-03-01T08:00:00Z'),
      )
      expect(offsets).toEqual([30_000, 150_000])
      expect((await c.control('GET', `/tasks/${id}`)).body.view.error.code).toBe('Oops')
    })

    it('[[never]] keeps it running', async ({ c }) => {
      const id = await c.made('a red kite [[never]]')
      await c.advance('1h')
      const { body } = await c.control('GET', `/tasks/${id}`)
      expect(body.view.status).toBe(wordsOf(row, body.kind).running)
      expect((await c.control('GET', `/tasks/${id}/story`)).body.items.at(-1).kind).toBe('next')
    })
  },
)
