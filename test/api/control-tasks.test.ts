// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, test } from 'vitest'
import { families } from '../../src/emulator/families/index.ts'
import type { Status } from '../../src/emulator/worlds/task.ts'
import { asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { ofEachFamily, type Row } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { refusal } from '../support/own-world.ts'

const gateway = await openGateway()
const open = () => gateway.controlOf(gateway.freshWorld())
const it = test.extend('ask', () => open())

const makerOf = (row: Row) => async () => {
  const client = await clientOf(row, gateway)
  const id = await client.made()
  const { kind } = await client.newest()
  const force = (body: unknown) => client.control('POST', `/tasks/${id}/force`, body)
  return { ...client, id, words: wordsOf(row, kind), force }
}

describe.each(asynchronous)('POST /tasks/{id}/force on a task of $title', row => {
  const made = makerOf(row)

  it('sets each state in the family’s own words, and clients see it', async () => {
    const { force, words, poll, id, control } = await made()
    const { body: running } = await force({ status: words.running })
    expect([running.view.status, running.state]).toEqual([words.running, 'running'])
    expect(running.can_become).toEqual(running.can_become_states.map((state: Status) => words[state]))
    expect((await poll(id)).text).toContain(`"${words.running}"`)
    expect((await force({ status: words.succeeded })).body.view.status).toBe(words.succeeded)
    expect((await poll(id)).text).toContain(`"${words.succeeded}"`)
    const { items } = (await control('GET', '/requests')).body
    const shown = items.flatMap(({ state = [] }: { state?: Status | [] }) => state)
    expect(shown).toEqual(['queued', 'running', 'succeeded'])
  })

  it('fails with the given error or the family’s own, and refunds', async () => {
    const [given, own] = [await made(), await made()]
    const error = { code: '9999', message: 'No wind.' }
    const { body } = await given.force({ status: given.words.failed, error })
    expect(body.view.error).toEqual(error)
    expect((await given.poll(given.id)).text).toContain('No wind.')
    const { view } = (await own.force({ status: own.words.failed })).body
    expect([view.error.code, view.error.message]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/./),
    ])
    expect((await own.control('GET', '/ledger')).body.totals).toMatchObject({ settled: 0, held: 0 })
  })
})

describe.each(ofEachFamily(asynchronous))('POST /tasks/{id}/force on a task of $title', row => {
  const made = makerOf(row)

  it('is 409 when the states do not allow it, and 400 for an unknown word', async () => {
    const { force, words, control: ask, id } = await made()
    expect((await force({ status: words.queued })).status).toBe(409)
    const unknown = await force({ status: 'eaten' })
    expect(unknown.status).toBe(400)
    expect(unknown.body.error.hint).toContain(words.succeeded)
    await force({ status: words.succeeded })
    for (const status of new Set(Object.values(words))) expect((await force({ status })).status).toBe(409)
    expect((await ask('GET', `/tasks/${id}`)).body.facts).toHaveLength(1)
  })

  it('ends its links at once on expire-link, and is refused when there are none', async () => {
    const { force, words, control: ask, id, fileOf } = await made()
    expect((await ask('POST', `/tasks/${id}/expire-link`)).status).toBe(409)
    await force({ status: words.succeeded })
    const { media } = (await ask('GET', `/tasks/${id}`)).body
    // The families' own tests show that the link works before; rendering each file again here would take long.
    const url = await fileOf(id)
    expect(Date.parse(media[0].expires_at)).toBeGreaterThan(Date.parse('2026-03-01T08:00:00Z'))
    expect((await ask('POST', `/tasks/${id}/expire-link`)).status).toBe(200)
    expect((await gateway.download(url)).status).toBe(403)
    expect((await gateway.download(await fileOf(id))).status).toBe(403)
  })
})

describe('POST /tasks/{id}/force', () => {
  it.each([
    {},
    { status: 7 },
    { status: 'failed', error: 'x' },
    { status: 'succeeded', error: { code: 'x' } },
    { status: 'failed', because: 'x' },
  ])('answers %j with 400', async body => {
    const ask = open()
    const { id } = (await ask('POST', '/tasks', { family: 'a', kind: 'a' })).body
    expect((await ask('POST', `/tasks/${id}/force`, body)).status).toBe(400)
  })

  it('is 404 for an unknown task', async () => {
    for (const action of ['force', 'expire-link', 'story']) {
      const method = action === 'story' ? 'GET' : 'POST'
      const body = action === 'force' ? { status: 'failed' } : undefined
      expect((await open()(method, `/tasks/nope/${action}`, body)).status).toBe(404)
    }
  })
})

const kinds = families.flatMap(({ id, makers }) => Object.keys(makers).map(kind => [id, kind] as const))

describe('POST /tasks', () => {
  it('knows the kinds of every family', () => expect(kinds.length).toBeGreaterThan(10))

  it.each(kinds)('makes a task of family %s and kind %s without a request', async (family, kind) => {
    const ask = open()
    const { status, body, text } = await ask('POST', '/tasks', { kind, account: 'bob' })
    expect(status, text).toBe(201)
    expect(body).toMatchObject({ family, kind, account: 'bob' })
    expect((await ask('GET', `/tasks/${body.id}`)).body).toEqual(body)
    await ask('POST', '/clock/advance', { until: 'idle' })
    const done = (await ask('GET', `/tasks/${body.id}`)).body
    expect(done.next_change_at).toBeNull()
    const { words } = families.find(({ id }) => id === family) ?? {}
    const pairs = [done, ...done.timeline.map((change: object) => ({ status: Object(change).to, ...change }))]
    for (const { state, status } of pairs) expect(status).toBe(words?.({ kind })[state as Status])
    expect([done.state, done.timeline.at(-1).state]).toEqual(['succeeded', 'succeeded'])
  })

  it('accepts a plan in the words of scenario rules', async ({ ask }) => {
    const times = { queued: '1m', running: { from: '2m', to: '2m' } }
    const plan = { ...times, outcome: 'failed', error: { code: 'Oops' }, label: 'late' }
    const { body } = await ask('POST', '/tasks', { family: 'a', kind: 'a', plan })
    expect(body.plan).toMatchObject({
      starts_at: '2026-03-01T08:01:00.000Z',
      ends_at: '2026-03-01T08:03:00.000Z',
      outcome: { kind: 'failed', code: 'Oops' },
    })
    expect(body.label).toBe('late')
  })

  it('accepts a request, completed from an example and checked as its endpoint checks it', async () => {
    const ask = open()
    const request = { model: 'model_a_25', duration: 7, seed: null }
    const { body } = await ask('POST', '/tasks', { family: 'a', kind: 'a', request })
    expect(body).toMatchObject({ model: 'model_a_25', request: { duration: 7 } })
    const wrong = { family: 'a', kind: 'a', request: { model: 'model_a_25', duration: 99 } }
    expect((await ask('POST', '/tasks', wrong)).body.error).toMatchObject({ path: 'duration' })
    expect((await ask('GET', '/tasks')).body.items).toHaveLength(1)
  })

  it('makes a task on which neither scenarios nor tags act', async ({ ask }) => {
    await ask('PUT', '/scenarios/active', { names: ['late-failure'] })
    const request = { content: [{ type: 'text', text: '[[queue:1h]] a cat' }] }
    const { body } = await ask('POST', '/tasks', { kind: 'a', request })
    expect(body.plan.outcome).toEqual({ kind: 'succeeded' })
    expect(Date.parse(body.plan.starts_at) - Date.parse('2026-03-01T08:00:00Z')).toBeLessThan(3_600_000)
  })

  it.each([
    [{ family: 'aa', kind: 'a' }, 'family', /did you mean a\?/],
    [{ family: 'a', kind: 'b' }, 'kind', /a/],
    [{ family: 'k', kind: 'k.avatr' }, 'kind', /k\.avatar/],
    [{ family: 'a' }, 'kind', undefined],
    [{ kind: 'avatar' }, 'kind', /k\.avatar/],
    [{ kind: 'constructor' }, 'kind', undefined],
    [{ kind: 'zz' }, 'kind', /^known are a, b, /],
    [{ family: 'a', kind: 'a', account: 'no name' }, 'account', undefined],
    [{ family: 'a', kind: 'a', plan: { outcom: 'failed' } }, 'plan.outcom', /outcome/],
    [{ family: 'a', kind: 'a', plan: { queued: 'soon' } }, 'plan.queued', undefined],
    [{ family: 'a', kind: 'a', plan: { error: { code: 'x' } } }, 'plan.error', undefined],
    [{ family: 'a', kind: 'a', request: [] }, 'request', undefined],
    [{ family: 'a', kind: 'a', extra: 1 }, undefined, undefined],
    [{ family: '__proto__', kind: 'constructor' }, 'family', undefined],
  ])('refuses %j with 400', async (body, path, hint) => {
    const ask = open()
    const error = refusal(await ask('POST', '/tasks', body))
    if (path) expect(error.path).toBe(path)
    if (hint) expect(error.hint).toMatch(hint)
    expect((await ask('GET', '/tasks')).body.items).toEqual([])
    expect((await ask('GET', '/ledger')).body.items).toEqual([])
  })
})

describe('GET /tasks', () => {
  it('pages through all tasks, newest first, with filters in the words of the emulator and of the family', async () => {
    const ask = open()
    for (let i = 0; i < 5; i++)
      await ask('POST', '/tasks', { family: i % 2 ? 'b' : 'a', kind: i % 2 ? 'b' : 'a' })
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `/tasks?limit=2${cursor && `&cursor=${cursor}`}`)
      ids.push(...body.items.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor ?? ''
      if (!cursor) break
    }
    expect(new Set(ids).size).toBe(5)
    expect((await ask('GET', '/tasks?family=b')).body.items).toHaveLength(2)
    expect((await ask('GET', '/tasks?family=b&status=PENDING')).body.items).toHaveLength(2)
    expect((await ask('GET', '/tasks?status=queued')).body.items).toHaveLength(5)
    expect((await ask('GET', '/tasks?account=bob')).body.items).toEqual([])
  })

  it.each([
    ['family=zz', 'family', undefined],
    ['status=succeded', 'status', 'did you mean succeeded?'],
    ['status=PENDNG', 'status', 'did you mean PENDING?'],
  ])('refuses a filter that no task can match: ?%s', async (query, path, hint) => {
    const { status, body } = await gateway.control('GET', `/tasks?${query}`)
    expect([status, body.error.path]).toEqual([400, path])
    if (hint !== undefined) expect(body.error.hint).toBe(hint)
  })

  it('refuses an unknown cursor, such as one from before a reset', async ({ ask }) => {
    for (let i = 0; i < 3; i++) await ask('POST', '/tasks', { family: 'a', kind: 'a' })
    const { next_cursor: cursor } = (await ask('GET', '/tasks?limit=2')).body
    await ask('POST', '/reset')
    const { status, body } = await ask('GET', `/tasks?limit=2&cursor=${cursor}`)
    expect([status, body.error.path]).toEqual([400, 'cursor'])
    expect(body.error.message).toContain(cursor)
  })

  it('names the operation of each charge with the scenario language’s word', async ({ ask }) => {
    for (const [family, kind] of kinds) await ask('POST', '/tasks', { family, kind })
    const { items } = (await ask('GET', '/ledger')).body
    const named = new Set(items.map(({ operation }: { operation: string }) => operation))
    expect(named).toContain('a.create')
    for (const operation of named) expect(operation).toMatch(/\.(create|enhance|regenerate|generate)$/)
  })
})

describe('POST /tasks for a synchronous call', () => {
  it.each(['never', 'expired', 'cancelled'])(
    'refuses the outcome %s, with which the picture would never be finished',
    async outcome => {
      const control = open()
      const reply = await control('POST', '/tasks', { family: 'image', kind: 'image', plan: { outcome } })
      expect([reply.status, reply.body.error.path]).toEqual([400, 'plan.outcome'])
      expect(reply.body.error.hint).toBe('must be succeeded or failed')
      expect((await control('GET', '/tasks')).body.items).toEqual([])
    },
  )

  it.each([
    [{ outcome: 'failed' }, 'failed'],
    [{ outcome: 'succeeded' }, 'succeeded'],
  ])('accepts the plan %j', async (plan, status) => {
    const reply = await open()('POST', '/tasks', { family: 'image', kind: 'image', plan })
    expect([reply.status, reply.body.status]).toEqual([201, status])
  })
})

describe('moments before 1970 are refused, with the range', () => {
  const wanted = /outside the range of virtual time, 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z/
  it.each<[string, string, object, string]>([
    ['POST', '/worlds', { clock: { now: '1969-12-31T23:59:59Z' } }, 'clock.now'],
    ['POST', '/worlds', { now: -1 }, 'now'],
    ['PATCH', '/clock', { now: '1960-01-01' }, 'now'],
    ['POST', '/clock/advance', { to: '1960-01-01' }, 'to'],
    ['POST', '/clock/advance', { to: 253_402_300_799_001 }, 'to'],
  ])('%s %s %j', async (method, below, body, path) => {
    const send = below === '/worlds' ? gateway.control : open()
    const reply = await send(method, below, body)
    expect([reply.status, reply.body.error.path]).toEqual([400, path])
    expect(reply.body.error.message).toMatch(wanted)
  })
})
