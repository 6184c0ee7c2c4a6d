import { describe, expect } from 'vitest'
import { expectError, text, textBody, worldOfA } from '../support/family-a.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { world, it } = await inWorldsOf(worldOfA)
const idsOf = (reply: { body: { items: { id: string }[] } }) => reply.body.items.map(({ id }) => id)

/** Tasks made a second apart, oldest first. */
async function several(client: ReturnType<typeof world>, count: number, body?: unknown): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    ids.push(await client.made(body))
    await client.advance('1s')
  }
  return ids
}

describe('the list (Spec, "Endpoints", Family A; A-list)', () => {
  it('is empty at first', async () => {
    expect((await world().list()).body).toEqual({ items: [], total: 0 })
  })

  it('lists the newest task first, in the shape of the query', async ({ client }) => {
    const ids = await several(client, 3)
    await client.advance({ until: 'idle' })
    const reply = await client.list()
    expect(idsOf(reply)).toEqual(ids.toReversed())
    expect(reply.body.items[0]).toEqual((await client.get(ids[2] ?? '')).body)
  })

  it('has 20 tasks a page by default, and the total', async ({ client }) => {
    const ids = (await several(client, 23)).toReversed()
    expect(idsOf(await client.list())).toEqual(ids.slice(0, 20))
    expect(idsOf(await client.list('?page_num=2'))).toEqual(ids.slice(20))
    expect(idsOf(await client.list('?page_num=3&page_size=7'))).toEqual(ids.slice(14, 21))
    const beyond = await client.list('?page_num=500&page_size=500')
    expect(beyond.body).toEqual({ items: [], total: 23 })
    expect((await client.list('?page_size=1')).body.total).toBe(23)
    shows('a.list.paged')
  })

  const wrong = { page_num: ['0', '501', '-1', 'x', '1.5'], page_size: ['0', '501', '1e2'] }
  it.each(
    Object.entries({ ...wrong, 'filter.status': ['done', 'QUEUED'] }).flatMap(([param, values]) =>
      values.map(value => [param, value] as const),
    ),
  )('refuses %s=%s', async (param, value) => {
    expectError(await world().list(`?${param}=${value}`), { code: 'InvalidParameter', param })
  })

  it.for(['page_num=', 'page_size=&filter.status=', 'filter.model=', 'filter.task_ids=,', 'nonsense=1'])(
    'ignores %j',
    async (query, { client }) => {
      await client.made()
      expect((await client.list(`?${query}`)).body.total).toBe(1)
    },
  )

  it('filters by status, in the family’s words', async ({ client }) => {
    const failed = await client.made(textBody({ content: [text('[[fail:InternalServiceError]] a')] }))
    const expiring = { content: [text('[[expire]] a')], execution_expires_after: 3600 }
    const expired = await client.made(textBody(expiring))
    const succeeded = await client.made()
    await client.advance('2h')
    const running = await client.made(textBody({ content: [text('[[queue:0s]] [[never]] a')] }))
    const queued = await client.made(textBody({ content: [text('[[queue:1h]] a')] }))
    const cancelled = await client.made(textBody({ content: [text('[[queue:1h]] a')] }))
    await client.remove(cancelled)
    const wanted = { failed, expired, succeeded, running, queued, cancelled }
    for (const [status, id] of Object.entries(wanted)) {
      const reply = await client.list(`?filter.status=${status}`)
      expect(idsOf(reply), status).toEqual([id])
      expect(reply.body.items[0].status).toBe(status)
      expect(reply.body.total).toBe(1)
    }
    shows('a.list.status')
  })

  it('filters by repeated task ids; unknown ones are left out', async ({ client }) => {
    const [a = '', b = '', c = ''] = await several(client, 3)
    const three = [a, c, 'none'].map(id => `filter.task_ids=${id}`).join('&')
    expect(idsOf(await client.list(`?${three}`))).toEqual([c, a])
    expect(idsOf(await client.list(`?filter.task_ids=${b}`))).toEqual([b])
    expect((await client.list('?filter.task_ids=none')).body).toEqual({ items: [], total: 0 })
  })

  it('filters by model, exactly as it was sent at create (A-list)', async ({ client }) => {
    const older = await client.made(textBody({ model: 'doubao-seedance-2-0-260128' }))
    const newer = await client.made()
    expect(idsOf(await client.list('?filter.model=doubao-seedance-2-0-260128'))).toEqual([older])
    expect(idsOf(await client.list('?filter.model=model_a_25'))).toEqual([newer])
    expect(idsOf(await client.list('?filter.model=model_a_20'))).toEqual([])
    expect(idsOf(await client.list('?filter.model=other'))).toEqual([])
  })

  it('filters by service tier; every task has the default tier (A-forbidden)', async ({ client }) => {
    const id = await client.made()
    expect(idsOf(await client.list('?filter.service_tier=default'))).toEqual([id])
    expect((await client.list('?filter.service_tier=flex')).body).toEqual({ items: [], total: 0 })
  })

  it('ignores unknown parameters, and lists them as unread in the journal (A-unknown-keys)', async () => {
    const client = world()
    const id = await client.made()
    const reply = await client.list('?status=failed&page_size=5&status=queued&filter[status]=failed')
    expect(idsOf(reply)).toEqual([id])
    const { body } = await client.control('GET', '/requests?operation=a.list')
    expect(body.items.at(-1).unread).toEqual(['status', 'filter[status]'])
  })

  it('combines its filters, and pages the result', async ({ client }) => {
    const ids = await several(client, 5)
    await client.made(textBody({ model: 'model_a_20' }))
    await client.advance({ until: 'idle' })
    const query = '?filter.status=succeeded&filter.model=model_a_25&page_size=2&page_num=2'
    const reply = await client.list(query)
    expect(idsOf(reply)).toEqual(ids.toReversed().slice(2, 4))
    expect(reply.body.total).toBe(5)
  })

  it('reaches exactly 7 days back, to the millisecond', async ({ client }) => {
    const old = await client.made()
    await client.advance('1d')
    const young = await client.made()
    await client.advance('6d')
    expect(idsOf(await client.list())).toEqual([young, old])
    await client.advance('1ms')
    expect(idsOf(await client.list())).toEqual([young])
    expect((await client.list()).body.total).toBe(1)
  })

  it('leaves out removed records, and tasks of other accounts', async ({ client }) => {
    const id = await client.made()
    await client.made(textBody(), `${client.key}.other`)
    await client.advance({ until: 'idle' })
    const kept = await client.made()
    await client.remove(id)
    expect(idsOf(await client.list())).toEqual([kept])
  })
})
