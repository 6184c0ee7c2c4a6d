import { describe, expect } from 'vitest'
import { expectError, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway, openingTime } from '../support/gateway.ts'
import { chargesOf } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfA)
const dear = await openGateway({ prices: { 'model_a_25.per_million_tokens': 1000 } })
type Client = ReturnType<typeof world>
const ledger = async (client: Client) => (await client.control('GET', '/ledger')).body
/** 5 s of 720p on 2.5 are 108900 tokens at 60 credits a million. */
const price = 6.534

describe('charges (Spec, "What the service does" 7)', () => {
  it('are reserved at create and settled on success', async ({ client }) => {
    const id = await client.made()
    expect(await chargesOf(client)).toEqual([`reserved ${price}`])
    await client.advance({ until: { task: id, status: 'running' } })
    expect(await chargesOf(client)).toEqual([`reserved ${price}`])
    await client.advance({ until: 'idle' })
    expect(await chargesOf(client)).toEqual([`reserved ${price}`, `settled ${price}`])
    const totals = { reserved: price, settled: price, refunded: 0, held: 0 }
    expect((await ledger(client)).totals).toMatchObject(totals)
    shows('all.service.charges')
  })

  it.for([
    ['failed', '[[fail:InternalServiceError]] a'],
    ['cancelled', '[[cancel]] a'],
    ['expired', '[[expire]] a'],
  ] as const)('are refunded when the task is %s', async ([status, prompt], { client }) => {
    expect((await client.finished(textBody({ content: [text(prompt)] }))).status).toBe(status)
    expect(await chargesOf(client)).toEqual([`reserved ${price}`, `refunded ${price}`])
  })

  it('are refunded when a queued task is cancelled', async ({ client }) => {
    await client.remove(await client.made())
    expect(await chargesOf(client)).toEqual([`reserved ${price}`, `refunded ${price}`])
  })

  it('stay when the record is removed', async ({ client }) => {
    const { id } = await client.finished()
    await client.remove(id)
    expect(await chargesOf(client)).toEqual([`reserved ${price}`, `settled ${price}`])
  })

  it('reserve the longest length for -1, and release the rest', async ({ client }) => {
    const record = await client.finished(textBody({ duration: -1 }))
    const most = Math.floor((1280 * 720 * (30 * 24 + 1)) / 1024) * 60e-6
    const spent = record.usage.total_tokens * 60e-6
    const { items, totals } = await ledger(client)
    const [reserved, settled] = items
    expect(reserved.amount).toBeCloseTo(most, 5)
    expect(settled.amount).toBeCloseTo(spent, 5)
    expect(settled.released).toBeCloseTo(most - spent, 5)
    expect(totals.held).toBe(0)
  })

  it('an edit is as long as its input, so its price is known and nothing is released', async ({ client }) => {
    const url = `${gateway.url}/__emulator/samples/clip-720p-5s.mp4`
    const clip = { type: 'video_url', video_url: { url }, role: 'reference_video' }
    await client.finished(
      textBody({ content: [text('remove the birds'), clip], ratio: null, duration: null }),
    )
    const [reserved, settled] = (await ledger(client)).items
    expect(settled).toMatchObject({ kind: 'settled', amount: reserved.amount })
    expect(settled).not.toHaveProperty('released')
  })

  it('an automatic length is from 4 to 12 s', async ({ client }) => {
    for (let i = 0; i < 60; i++) await client.made(textBody({ duration: -1 }))
    await client.advance({ until: 'idle' })
    const { body } = await client.list('?page_size=60')
    const lengths = body.items.map(({ duration }: { duration: number }) => duration)
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([4, 12])
  })

  it('list moment, account, task, operation and model', async ({ client }) => {
    const id = await client.made(textBody({ model: 'model_a_20' }), `${client.key}.shop`)
    await client.made()
    const { body } = await client.control('GET', '/ledger?account=shop')
    const made = { account: 'shop', task_id: id, operation: 'a.create', model: 'model_a_20', at: openingTime }
    expect(body.items).toMatchObject([{ ...made, kind: 'reserved', amount: 5.0094, balance: -5.0094 }])
    shows('all.service.charges')
  })

  it('use the prices of the config file (A-prices)', async () => {
    const client = worldOfA(dear)
    await client.made()
    expect(await chargesOf(client)).toEqual(['reserved 108.9'])
  })
})

describe('a balance (A-403)', () => {
  it('that is too low gives a 403 with its own message, until a refund raises it', async ({ client }) => {
    const poor = `${client.key}.poor`
    const id = await client.made(textBody(), poor)
    const refusal = { status: 403, code: 'AccountOverdueError', type: 'Forbidden' }
    const message = 'the balance is 3.466 credits'
    const error = await client.refused(textBody(), { ...refusal, message }, poor)
    expect(error.message).not.toContain('moderation')
    expect((await client.remove(id, poor)).status).toBe(200)
    await client.made(textBody(), poor)
  })

  it('is reduced by the settled price, not by the reserved one', async ({ client }) => {
    await client.control('PATCH', '/accounts/default', { balance: 40 })
    const record = await client.finished(textBody({ duration: -1 }))
    const { body } = await client.control('GET', '/accounts')
    expect(body.items[0].balance).toBeCloseTo(40 - record.usage.total_tokens * 60e-6, 4)
  })

  it('belongs to one account', async ({ client }) => {
    await client.made(textBody(), `${client.key}.poor`)
    await client.made()
    expect((await client.control('GET', '/accounts')).body.items).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: 'poor', balance: 3.466 })]),
    )
  })
})

describe('rate limits are per account (Spec, "Authentication" 2, "Limits"; A-rate)', () => {
  it('a task waits in the queue for its slot; a wait of more than 60 s is 429 with Retry-After', async () => {
    const client = world()
    const throttled = `${client.key}.throttled`
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await client.made(textBody(), throttled))
    const before = (await ledger(client)).items.length
    const reply = await client.create(textBody(), throttled)
    expectError(reply, { status: 429, code: 'AccountRateLimitExceeded', type: 'TooManyRequests' })
    expect(reply.headers['retry-after']).toBe('60')
    expect((await ledger(client)).items).toHaveLength(before)

    await client.advance('30s')
    const statuses = []
    for (const id of ids) statuses.push((await client.get(id, throttled)).body.status)
    expect(statuses.slice(3)).toEqual(['queued', 'queued', 'queued'])
    expect(statuses.slice(0, 3)).not.toContain('queued')

    await client.advance('30s')
    await client.made(textBody(), throttled)
    shows('all.limits.rate-queue', 'a.create.refusals')
  })

  it('of one account do not limit other accounts', async ({ client }) => {
    for (const id of ['one', 'other'])
      await client.control('PATCH', `/accounts/${id}`, { requests_per_minute: 1 })
    for (let i = 0; i < 2; i++) await client.made(textBody(), `${client.key}.one`)
    expect((await client.create(textBody(), `${client.key}.one`)).status).toBe(429)
    for (let i = 0; i < 2; i++) await client.made(textBody(), `${client.key}.other`)
    expect((await client.create(textBody(), `${client.key}.other`)).status).toBe(429)
    shows('all.limits.rate-account')
  })

  it('are not used by refused requests', async ({ client }) => {
    const throttled = `${client.key}.throttled`
    for (let i = 0; i < 10; i++) await client.refused(textBody({ duration: 99 }), {}, throttled)
    const id = await client.made(textBody(), throttled)
    await client.advance('4s')
    expect((await client.get(id, throttled)).body.status).not.toBe('queued')
  })

  it('can be set and lifted', async ({ client }) => {
    await client.control('PATCH', '/accounts/default', { requests_per_minute: 1 })
    await client.made()
    await client.made()
    expect((await client.create(textBody())).status).toBe(429)
    await client.control('PATCH', '/accounts/default', { requests_per_minute: null })
    await client.made()
  })

  it('do not exist by default: a hundred creates at once are accepted', async ({ client }) => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.create(textBody())))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
  })
})
