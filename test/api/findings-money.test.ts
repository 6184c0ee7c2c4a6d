// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, test } from 'vitest'
import { asynchronous, bodyOf, clientOf } from '../support/any-family.ts'
import { rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { accepted } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()
const families = asynchronous.map(row => [row.title, row] as const)

async function inWorld(row = rowNamed('a.create')) {
  const client = await clientOf(row, gateway)
  const kinds = async () =>
    (await client.control('GET', '/findings')).body.items.map(({ kind }: { kind: string }) => kind)
  return { ...client, kinds, body: bodyOf(row, gateway) }
}
const it = test.extend('w', () => inWorld())

const moneyKinds = ['abandoned_task', 'created_again_while_running', 'result_not_fetched', 'polled_after_end']

describe('findings about money (docs/words.md, "Findings")', () => {
  it.each(families)('a create, polls to the end and one download give no finding: %s', async (_, row) => {
    const w = await inWorld(row)
    const id = await w.made()
    await w.poll(id)
    await w.advance({ until: 'idle' })
    await w.poll(id)
    const { media } = (await w.control('GET', `/tasks/${id}`)).body
    for (const { url } of media) await gateway.download(url)
    await w.advance('40d')
    expect((await w.kinds()).filter((kind: string) => moneyKinds.includes(kind))).toEqual([])
  })

  it.each(families)('a client that stops polling before the end gives abandoned_task: %s', async (_, row) => {
    const w = await inWorld(row)
    await w.poll(await w.made())
    await w.advance({ until: 'idle' })
    expect(await w.kinds()).not.toContain('abandoned_task')
    await w.advance('1h')
    expect(await w.kinds()).toContain('abandoned_task')
  })

  it('a link that was shown and never opened gives result_not_fetched', async ({ w }) => {
    const id = await w.made()
    await w.advance({ until: 'idle' })
    await w.poll(id)
    await w.advance('1h')
    expect(await w.kinds()).toEqual([])
    await w.advance('2h')
    expect((await w.kinds()).sort()).toEqual(['abandoned_task', 'result_not_fetched'])
    const { text } = (await w.control('GET', `/tasks/${id}/story`)).body
    expect(text).toContain('result_not_fetched: the link')
  })

  it('an equal create while the first task runs gives a finding; after its end, or with another body, it does not', async () => {
    const w = await inWorld()
    await w.made('a kite')
    await w.made('another kite')
    expect(await w.kinds()).toEqual([])
    await w.made('a kite')
    expect(await w.kinds()).toEqual(['created_again_while_running'])
    const calm = await inWorld()
    await calm.made('a kite')
    await calm.advance({ until: 'idle' })
    await calm.made('a kite')
    expect(await calm.kinds()).toEqual([])
  })

  it.each<[string, keys: (string | undefined)[], found: number, prompt?: string]>([
    ['the same key twice', ['k1', 'k1'], 1],
    ['the same key three times', ['k1', 'k1', 'k1'], 2],
    ['a key for each create', ['k1', 'k2'], 0],
    ['no key', [undefined, undefined], 0],
    ['one create with a key', ['k1'], 0],
    ['the first task had failed, and costs nothing', ['k1', 'k1'], 0, 'a kite [[fail:InternalServiceError]]'],
  ])('idempotency_ignored is found where a client relies on its key: %s', async (_, keys, count, text) => {
    const w = await inWorld()
    const body = text === undefined ? w.body : { ...Object(w.body), content: [{ type: 'text', text }] }
    for (const idempotency of keys) {
      const headers = idempotency === undefined ? {} : { 'Idempotency-Key': idempotency }
      const options = { key: w.key, headers }
      accepted(await gateway.call('POST', '/api/v3/contents/generations/tasks', body, options))
      if (text !== undefined) await w.advance({ until: 'idle' })
    }
    const { items } = (await w.control('GET', '/findings')).body
    const found = items.filter(({ kind }: { kind: string }) => kind === 'idempotency_ignored')
    expect(found.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(count)
  })

  it('a failed task gives no abandoned_task, because it is not charged', async ({ w }) => {
    await w.made('a kite [[fail:InternalServiceError]]')
    await w.advance('30d')
    expect(await w.kinds()).toEqual([])
  })

  it('five polls of an ended task give a finding, and four do not', async ({ w }) => {
    const id = await w.made()
    await w.advance({ until: 'idle' })
    for (let i = 0; i < 4; i++) await w.poll(id)
    expect(await w.kinds()).not.toContain('polled_after_end')
    await w.poll(id)
    expect(await w.kinds()).toContain('polled_after_end')
  })

  it('a poll before each download asks for the link again, and is no poll of an ended task', async () => {
    const w = await inWorld()
    const id = await w.made()
    await w.advance({ until: 'idle' })
    for (let i = 0; i < 6; i++) {
      const { video_url: url } = (await w.poll(id)).body.content
      expect((await gateway.download(url)).status).toBe(200)
    }
    expect(await w.kinds()).not.toContain('polled_after_end')
  })
})

describe('Retry-After is read in every spelling', () => {
  it.for(['retry-after', 'Retry-After', 'RETRY-AFTER'])('%s', async (name, { w }) => {
    const refuse = { status: 429, headers: { [name]: '30' }, body: 'slow down' }
    await w.post({ name: 'raw', rules: [{ when: { call: 1 }, then: { refuse } }] })
    expect((await w.create()).status).toBe(429)
    await w.create()
    expect(await w.kinds()).toContain('retry_after_ignored')
  })

  it('and is not ignored when another worker polls another task, whose id stands in the query', async () => {
    const w = await inWorld(rowNamed('k.create'))
    const [one, other] = [await w.made('a kite'), await w.made('another kite')]
    const refuse = { status: 429, headers: { 'Retry-After': '30' }, body: 'slow down' }
    const rules = [{ when: { operation: 'k.tasks.get', call: 1 }, then: { refuse } }]
    await w.post({ name: 'polls', rules })
    const poll = (id: string) => gateway.get(`/tasks?task_ids=${id}`, w.key)
    expect((await poll(one)).status).toBe(429)
    expect((await poll(other)).status).toBe(200)
    expect(await w.kinds()).not.toContain('retry_after_ignored')
    await poll(one)
    expect(await w.kinds()).toContain('retry_after_ignored')
  })

  it('and is ignored although the polls of another task have skipped more time, under an auto clock', async ({
    w,
  }) => {
    await w.control('PATCH', '/clock', { mode: 'auto' })
    const [one, other] = [await w.made('a kite'), await w.made('another kite')]
    const refuse = { status: 429, headers: { 'Retry-After': '1' }, body: 'slow down' }
    await w.post({ name: 'polls', rules: [{ when: { operation: 'a.get', call: 1 }, then: { refuse } }] })
    expect((await w.poll(one)).status).toBe(429)
    const before = (await w.control('GET', '/clock')).body.now
    for (let i = 0; i < 2; i++) expect((await w.poll(other)).status).toBe(200)
    expect((await w.control('GET', '/clock')).body.now).not.toBe(before)
    await w.poll(one)
    expect(await w.kinds()).toContain('retry_after_ignored')
  })

  it('and is kept by a client that moves an auto clock by so much itself', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'auto' })
    const one = await w.made('a kite')
    const refuse = { status: 429, headers: { 'Retry-After': '1' }, body: 'slow down' }
    await w.post({ name: 'polls', rules: [{ when: { operation: 'a.get', call: 1 }, then: { refuse } }] })
    expect((await w.poll(one)).status).toBe(429)
    await w.control('POST', '/clock/advance', { by: '1s' })
    expect((await w.poll(one)).status).toBe(200)
    expect(await w.kinds()).not.toContain('retry_after_ignored')
  })
})
