import { describe, expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { refusal } from '../support/own-world.ts'

const gateway = await openGateway()
const { control } = gateway
const tasks = '/api/v3/contents/generations/tasks'
const body = { model: 'model_a_25', content: [{ type: 'text', text: 'a kite' }], duration: 5 }

describe('a body of the control API', () => {
  it.each([
    ['POST', '/worlds', { idd: 'x' }, 'idd', 'did you mean id?'],
    ['POST', '/worlds', { clock: { mod: 'auto' } }, 'clock.mod', 'did you mean mode?'],
    ['PATCH', '/clock', { speed: 2 }, 'speed', 'known are mode, rate, now'],
    ['PATCH', '/accounts/bob', { disable: true }, 'disable', 'did you mean disabled?'],
    ['PATCH', '/accounts/bob', { models: ['model_a_26'] }, 'models[0]', 'did you mean model_a_2'],
    ['POST', '/requests/verify', { match: {}, count: { exact: 1 } }, 'count.exact', 'did you mean exactly?'],
    ['GET', '/tasks?cursor=nowhere', undefined, 'cursor', 'next_cursor'],
  ])(
    '%s %s with %j is refused with the place, the nearest word and the one code of a wrong request',
    async (method, path, sent, place, hint) => {
      const error = refusal(await control(method, path, sent))
      expect(error).toMatchObject({ code: 'bad_request', path: place })
      expect(error.hint).toContain(hint)
    },
  )

  it('a name of a world with other characters is refused with the pattern of names', async () => {
    const { status, body: refused } = await control('POST', '/worlds', { id: 'a b' })
    expect([status, refused.error.path]).toEqual([400, 'id'])
    expect(refused.error.message).toMatch(/"a b" is not allowed, must be a string that matches \^/)
  })

  it.each(['/scenarios', '/worlds', '/requests/verify', '/mcp'])(
    '%s refuses a body nested deeper than 128 levels, arrays and objects',
    async path => {
      const arrays = `{"x":${'['.repeat(200)}${']'.repeat(200)}}`
      const objects = `${'{"aaaa":'.repeat(5000)}1${'}'.repeat(5000)}`
      for (const text of [arrays + ' '.repeat(400), objects]) {
        const error = refusal(await control('POST', path, text))
        expect(error.message).toBe('The body is nested deeper than 128 levels')
      }
    },
  )

  it.each([
    [{}, 'by or to or until'],
    [{ by: '1s', to: '2027-01-01' }, 'only 1 of by, to, until'],
    [{ until: { task: 'x' } }, 'until.status is required'],
    [{ until: 'nxt' }, 'must be one of next, idle'],
  ])(
    '%j is refused as an advance of the clock, with the allowed values, and the clock does not move',
    async (sent, told) => {
      const before = (await control('GET', '/clock')).body
      expect(refusal(await control('POST', '/clock/advance', sent)).message).toContain(told)
      expect((await control('GET', '/clock')).body).toEqual(before)
    },
  )

  it.each([
    [
      'POST',
      '/worlds',
      { id: null, seed: null, clock: { mode: 'manual', rate: null }, scenarios: null },
      201,
    ],
    ['POST', '/clock/advance', { by: '1s', to: null, until: null }, 200],
    ['PATCH', '/clock', { mode: null, rate: 2, now: null }, 200],
    ['POST', '/requests/verify', { match: {}, count: null, order: null }, 200],
    ['POST', '/tasks', { family: 'a', kind: 'a', account: null, request: null, plan: null }, 201],
    ['PATCH', '/accounts/bob', { models: null, disabled: null }, 200],
    ['POST', '/snapshots', { name: null }, 400],
  ])('%s %s reads null as an option that is not set: %j (A-null)', async (method, path, sent, status) => {
    const reply = await control(method, path, sent)
    expect(reply.status, reply.text).toBe(status)
  })
})

it('lists the methods of a path in Allow', async () => {
  const reply = await control('PUT', '/clock')
  expect(reply.status).toBe(405)
  expect(reply.headers.allow).toBe('GET, PATCH')
})

describe('PATCH /accounts/{id}', () => {
  it('sets the remaining balance, whatever was spent before', async () => {
    await gateway.post(tasks, body, 'sk-emulator.spender')
    const ask = (change: object) => control('PATCH', '/accounts/spender', change)
    expect((await ask({ balance: 100 })).body.balance).toBe(100)
    const { body: created } = await gateway.post(tasks, body, 'sk-emulator.spender')
    const left = (await ask({})).body.balance
    expect(left).toBeLessThan(100)
    const { items } = (await control('GET', '/ledger?account=spender')).body
    expect(items.at(-1)).toMatchObject({ task_id: created.id, kind: 'reserved', balance: left })
    expect((await ask({ balance: 0 })).body.balance).toBe(0)
    expect((await gateway.post(tasks, body, 'sk-emulator.spender')).status).toBe(403)
    expect((await ask({ balance: null })).body.balance).toBeNull()
  })

  it('accepts the published names of models too', async () => {
    const change = { models: ['doubao-seedance-2-5-260628', 'model_b'] }
    const { body: account } = await control('PATCH', '/accounts/named', change)
    expect(account.models).toEqual(['model_a_25', 'model_b'])
    expect((await gateway.post(tasks, body, 'sk-emulator.named')).status).toBe(200)
  })
})

it('DELETE /assets?account= removes only the assets of one account', async () => {
  const url = `${gateway.url}/__emulator/samples/square.png`
  const [mine, other] = [
    (await control('POST', '/assets?account=ann', { kind: 'image', url })).body,
    (await control('POST', '/assets', { kind: 'image', url, account: 'ben' })).body,
  ]
  expect([mine.account, other.account]).toEqual(['ann', 'ben'])
  await control('DELETE', '/assets?account=ann')
  expect((await control('GET', '/assets')).body.items.map(({ id }: { id: string }) => id)).toEqual([other.id])
})
