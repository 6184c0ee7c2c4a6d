import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { accepted, refusal } from '../support/own-world.ts'

const gateway = await openGateway()

/** A world in which a client has made three creates and two polls. */
async function lived() {
  const world = worldOfA(gateway)
  const create = (model: string, words: string, key = world.key) => {
    const body = textBody({ model, content: [text(words)], resolution: null })
    return gateway.call('POST', tasksPath, body, { key, headers: { 'X-Team': 'blue' } })
  }
  const { id } = (await create('model_a_20', 'a red kite [[queue:5s]] at dawn')).body
  await world.get(id)
  await world.advance('10s')
  await create('model_a_25', 'a blue whale')
  await create('model_none', 'a blue whale', `${world.key}.bob`)
  await world.get(id)
  return { ...world, id, verify: (body: unknown) => world.control('POST', '/requests/verify', body) }
}
const it = test.extend('verify', async () => (await lived()).verify)

describe('POST /requests/verify', () => {
  it.for<[string, unknown, number]>([
    ['operation', { operation: 'a.create' }, 3],
    ['glob', { operation: '*.get' }, 2],
    ['no condition', {}, 5],
    ['family', { family: 'a' }, 5],
    ['model', { model: 'model_a_25' }, 1],
    ['account', { account: 'bob' }, 1],
    ['mode', { mode: 'text', model: 'model_a_20' }, 1],
    ['prompt, without its tags', { prompt: 'a red kite at dawn' }, 1],
    ['part of the prompt', { prompt: { contains: 'blue' } }, 2],
    ['pattern', { prompt: { matches: '^a (red|blue) ' } }, 3],
    ['header', { header: { 'x-team': 'blue' } }, 3],
    ['body', { body: { '/duration': 5, '/content/0/type': 'text' } }, 3],
    ['body, with null as absent', { body: { '/resolution': { exists: false } }, operation: 'a.create' }, 3],
    ['status', { status: 400 }, 1],
    ['call', { operation: 'a.create', call: 2 }, 1],
    ['calls', { operation: 'a.create', call: 'from 2' }, 2],
    ['during', { during: { from: '5s' } }, 3],
  ])('finds by %s', async ([_, match, count], { verify }) => {
    const body = accepted(await verify({ match, count: { exactly: count } }))
    expect(body).toMatchObject({ ok: true, found: count, near_misses: [] })
    expect(body.requests).toHaveLength(count)
  })

  it('finds a header that was sent twice by both its values, and the entry shows both', async () => {
    const key = 'sk-test-twice'
    const headers = { Authorization: [`Bearer ${key}`, `Bearer ${key}.bob`], 'X-Team': ['blue', 'red'] }
    const sent = request(`${gateway.url}${tasksPath}`, { headers }).end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    await once(reply.resume(), 'end')
    const match = { header: { 'x-team': 'blue, red' } }
    const { body } = await gateway.control('POST', '/worlds/twice/requests/verify', { match })
    expect(body).toMatchObject({ ok: true, found: 1 })
    const { items } = (await gateway.control('GET', '/worlds/twice/requests')).body
    const shown = { 'x-team': 'blue, red', authorization: 'Bearer sk-test…' }
    expect(items[0].request.headers).toMatchObject(shown)
  })

  it('finds by task and by key', async () => {
    const { verify, id, key } = await lived()
    expect((await verify({ match: { task: id }, count: { exactly: 3 } })).body).toMatchObject({ ok: true })
    expect((await verify({ match: { key: `${key}.bob` } })).body).toMatchObject({ ok: true, found: 1 })
  })

  it.for([
    [{ at_least: 3 }, true],
    [{ at_least: 4 }, false],
    [{ at_most: 3 }, true],
    [{ at_most: 2 }, false],
    [{ exactly: 0 }, false],
    [{ at_least: 2, at_most: 4 }, true],
    [undefined, true],
  ] as const)('counts %j', async ([count, ok], { verify }) => {
    const { body } = await verify({ match: { operation: 'a.create' }, ...(count && { count }) })
    expect(body).toMatchObject({ ok, found: 3 })
    expect('message' in body).toBe(!ok)
  })

  it.for([
    { at_least: 3, at_most: 2 },
    { exactly: 1, at_least: 2 },
    { exactly: 3, at_most: 2 },
  ])('refuses a count that no number satisfies: %j', async (count, { verify }) => {
    const { status, body } = await verify({ match: { operation: 'a.create' }, count })
    expect([status, body.error.path]).toEqual([400, 'count'])
  })

  it('explains the nearest misses field by field, nearest first, at most five', async ({ verify }) => {
    const match = { operation: 'a.create', model: 'model_a_25', prompt: 'a blue wale', status: 200 }
    const { body } = await verify({ match })
    expect(body).toMatchObject({ ok: false, found: 0 })
    expect(body.near_misses).toHaveLength(5)
    expect(body.near_misses[0].reasons).toEqual(['prompt: wanted "a blue wale", was "a blue whale"'])
    expect(body.near_misses[0].request).toMatchObject({ operation: 'a.create', status: 200 })
    expect(body.near_misses[2].reasons).toEqual([
      'model: wanted "model_a_25", was "model_none"',
      'prompt: wanted "a blue wale", was "a blue whale"',
      'status: wanted 200, was 400',
    ])
    expect(body.near_misses.at(-1).reasons[0]).toBe('operation: wanted "a.create", was "a.get"')
    expect(body.message).toContain('at least 1 request')
  })

  it('shows a missing value as absent, and never shows a key', async () => {
    const { verify, key } = await lived()
    const { body } = await verify({ match: { operation: 'a.get', model: 'x', key: 'sk-nobody' } })
    expect(body.near_misses[0].reasons).toEqual([
      'model: wanted "x", was absent',
      'key: wanted "sk-nobody", was another one',
    ])
    expect(JSON.stringify(body)).not.toContain(key)
  })

  it('finds an order with other requests between, and names the missing step', async ({ verify }) => {
    const [create, poll] = [{ operation: 'a.create' }, { operation: 'a.get' }]
    expect((await verify({ order: [create, poll, create, poll] })).body).toMatchObject({ ok: true, found: 4 })
    const { body } = await verify({ order: [{ model: 'model_a_25' }, { model: 'model_a_20' }] })
    expect(body).toMatchObject({ ok: false, found: 1 })
    expect(body.message).toContain('Step 2')
    expect(body.near_misses[0].reasons[0]).toMatch(/^order: came as request 1, before request 3/)
  })

  it('requires both when match and order are given', async ({ verify }) => {
    const match = { operation: 'a.create' }
    const order = [{ operation: 'a.get' }, { operation: 'a.create' }]
    expect((await verify({ match, order })).body).toMatchObject({ ok: true, found: 3 })
    expect((await verify({ match, count: { exactly: 1 }, order })).body.ok).toBe(false)
    expect((await verify({ match, order: [{ status: 400 }, { model: 'model_a_20' }] })).body.ok).toBe(false)
  })

  it.for<[unknown, string | undefined]>([
    [{}, undefined],
    [{ match: { operation: 'a.craete' } }, 'match.operation'],
    [{ match: { promt: 'x' } }, 'match.promt'],
    [{ match: { status: 'ok' } }, 'match.status'],
    [{ match: { probability: 0.5 } }, 'match.probability'],
    [{ match: [] }, 'match'],
    [{ match: {}, count: { exactly: -1 } }, 'count.exactly'],
    [{ match: {}, count: {} }, 'count'],
    [{ order: [] }, 'order'],
    [{ order: [{ operation: 'a.get', call: 2 }] }, 'order[0].call'],
    [{ order: [{}, { operation: 'x' }] }, 'order[1].operation'],
    [{ matches: {} }, undefined],
    [{ count: { exactly: 1 }, order: [{}] }, 'count'],
  ] as const)('refuses %j with 400', async ([body, at], { verify }) => {
    const error = refusal(await verify(body))
    if (at) expect(error.path).toBe(at)
  })

  it('reads each entry of a full journal a fixed number of times', async () => {
    const { verify, control, key } = await lived()
    const readsOver = async (count: number) => {
      await control('DELETE', '/requests')
      const body = { model: 'model_none', content: [{ type: 'text', text: 'a kite' }] }
      await Promise.all(Array.from({ length: count }, () => gateway.post(tasksPath, body, key)))
      const parsed = vi.spyOn(JSON, 'parse')
      expect((await verify({ match: { prompt: 'nowhere' } })).body.ok).toBe(false)
      const reads = parsed.mock.calls.length
      parsed.mockRestore()
      return reads
    }
    const few = await readsOver(50)
    expect(few).toBeGreaterThan(50)
    expect((await readsOver(500)) / few).toBeLessThan(11)
  })
})
