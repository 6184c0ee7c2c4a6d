import { describe, expect, test } from 'vitest'
import {
  enhanceBody,
  expectError,
  inWorldsOfC,
  special,
  standard,
  text,
  textBody,
  variants,
} from '../support/family-c.ts'
import { openingTime } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { refusal } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'

oneVideoForAll()

const { gateway, world, it } = await inWorldsOfC()
const opened = Date.parse(openingTime) / 1000

const slow = (queued: string, running: string) =>
  textBody({ content: [text(`a cat [[queue:${queued}]] [[run:${running}]]`)] })
const tagged = (tag: string) => textBody({ content: [text(`a cat [[queue:10s]] [[run:20s]] [[${tag}]]`)] })

describe.each(variants)('querying one task in $id', variant => {
  const it = test.extend('client', () => world(variant))
  const { unknown } = variant

  it('is queued, then running, then succeeded with a url (Spec, "States and transitions", C and C-special)', async () => {
    const client = world(variant)
    const id = await client.made(slow('10s', '20s'))
    const asked = { model: 'model_c', resolution: '768P', duration: 5, ratio: '16:9' }
    const common = { id, ...asked, created_at: opened, task_type: 'generation', modality: 'video' }
    expect(await client.task(id)).toEqual({ ...common, status: 'queued', updated_at: opened })
    await client.advance('10s')
    expect(await client.task(id)).toEqual({ ...common, status: 'running', updated_at: opened + 10 })
    await client.advance('20s')
    expect(await client.task(id)).toEqual({
      ...common,
      status: 'succeeded',
      updated_at: opened + 30,
      content: { url: expect.stringMatching(/^http/) },
      usage: { total_seconds: 5, input_seconds: 0, output_seconds: 5, input_image_count: 0 },
    })
    shows('c.task.id', 'c.task.url', 'c.states.start', 'c.states.finish', 'c.get.reply', 'special.get.reply')
    shows('c.task.resolution', 'c.task.duration', 'c.task.ratio', 'c.task.type', 'c.task.modality')
    shows('c.task.usage', 'c.task.times')
  })

  it('shows only queued or running before completion, for every outcome (Spec, special query)', async () => {
    const client = world(variant)
    const outcomes = { 'fail:1027': 'failed', cancel: 'cancelled', expire: 'failed', never: 'running' }
    const ids = await Promise.all(Object.keys(outcomes).map(tag => client.made(tagged(tag))))
    const statuses = () => Promise.all(ids.map(async id => (await client.task(id)).status))
    expect(await statuses()).toEqual(ids.map(() => 'queued'))
    await client.advance('29s')
    expect(await statuses()).toEqual(ids.map(() => 'running'))
    await client.advance('1s')
    expect(await statuses()).toEqual(Object.values(outcomes))
    shows('special.get.before', 'c.states.finish')
  })

  it(`answers ${unknown.status} for an id that does not exist (C-unknown-task)`, async () => {
    for (const id of ['123456789012345', 'x', '%20'])
      expectError(await world(variant).get(id), { ...unknown, message: 'invalid task_id (2013)' })
  })

  it(`answers ${unknown.status} for a task of another account (Spec, "Authentication" 2; C-unknown-task)`, async () => {
    const client = world(variant)
    const id = await client.made()
    const other = `${client.key}.other`
    expectError(await client.get(id, other), unknown)
    expectError(await client.delete(id, other), unknown)
    expect((await client.list('', other)).body).toEqual({ items: [], total: 0 })
    expect((await client.task(id)).status).toBe('queued')
    shows('special.get.account')
  })

  it(`finds tasks of the last 7 days, and answers ${unknown.status} afterwards (Spec, "Limits", query window)`, async () => {
    const client = world(variant)
    const id = await client.made()
    await client.advance('7d')
    expect((await client.get(id)).status).toBe(200)
    expect((await client.list()).body.total).toBe(1)
    await client.advance('1ms')
    expectError(await client.get(id), unknown)
    expectError(await client.delete(id), unknown)
    expect((await client.list()).body).toEqual({ items: [], total: 0 })
    shows('c.get.window', 'c.list.window')
  })
})

describe('a finished task, in which the variants do not differ', () => {
  it('gives the same link at every poll; it works for 24 hours from success (C-links)', async () => {
    const client = world()
    const { id, content } = await client.finished()
    await client.advance('1h')
    expect((await client.task(id)).content.url).toBe(content.url)
    await client.advance('22h')
    expect((await gateway.download(content.url)).status).toBe(200)
    await client.advance('61m')
    expect((await gateway.download(content.url)).status).toBe(403)
  })

  it('has error.code as digits in a string, and zero usage, after a failure (Spec, "task object"; C-usage, C-errors)', async () => {
    const client = world()
    const task = await client.finished(tagged('fail:1026'))
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: '1026', message: 'video description contains sensitive content' },
      usage: { total_seconds: 0, input_seconds: 0, output_seconds: 0, input_image_count: 0 },
    })
    expect(task).not.toHaveProperty('content')
    expect((await client.charges()).map(([kind]) => kind)).toEqual(['reserved', 'refunded'])
    shows('c.task.error')
  })

  it('has no url when a scenario leaves it out, and the task still succeeds (scenario success-without-url)', async () => {
    const task = await world().finished(tagged('media:missing_url'))
    expect(task.status).toBe('succeeded')
    expect(task).not.toHaveProperty('content')
  })
})

describe('the two namespaces', () => {
  it('have separate tasks: special answers 404 (Spec, "Errors" rule 4), standard 400 (C-unknown-task)', async () => {
    const [c, s] = [world(standard, 'c-both'), world(special, 'c-both')]
    const [ofC, ofS] = [await c.made(), await s.made()]
    expectError(await s.get(ofC), { status: 404, type: 'not_found_error' })
    expectError(await s.delete(ofC), { status: 404, type: 'not_found_error' })
    expectError(await c.get(ofS), { status: 400 })
    expectError(await c.delete(ofS), { status: 400 })
    expect((await c.list()).body.items.map((item: { id: string }) => item.id)).toEqual([ofC])
    expect((await s.list()).body.items.map((item: { id: string }) => item.id)).toEqual([ofS])
    expect((await s.list(`?filter.task_ids=${ofC}`)).body.total).toBe(0)
    shows('special.service.namespace', 'special.get.namespace', 'special.list.own', 'special.list.reply')
  })
})

describe('an account that may not use the special variant (Spec, "Family C-special"; C-special-access)', () => {
  it.each([
    ['forbidden', { status: 403, type: 'permission_error' }],
    ['not_found', { status: 404, type: 'not_found_error' }],
  ])(
    '%s: the list, a query, a deletion and a create are refused, and nothing is charged',
    async (setting, refusal) => {
      const [s, c] = [world(special, `c-access-${setting}`), world(standard, `c-access-${setting}`)]
      const id = await s.made()
      const patched = await s.control('PATCH', '/accounts/default', { special: setting })
      expect([patched.status, patched.body.special]).toEqual([200, setting])
      const asked = [s.list(), s.get(id), s.delete(id), s.make('video_generation', textBody())]
      for (const reply of await Promise.all(asked)) expectError(reply, refusal)
      await c.made()
      expect((await c.list()).status).toBe(200)
      await s.control('PATCH', '/accounts/default', { special: 'allowed' })
      expect((await s.list()).body.total).toBe(1)
      expect((await s.get(id)).status).toBe(200)
    },
  )

  it('is refused for a word that is not a setting', async () => {
    const s = world(special, 'c-access-wrong')
    const error = refusal(await s.control('PATCH', '/accounts/default', { special: 'no' }))
    expect(error.message).toContain('special')
  })
})

describe('the list (Spec, "Endpoints", list)', () => {
  const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(item => item.id)

  it('gives {items, total}, newest first, with the same objects as single queries', async ({ client }) => {
    const first = await client.made()
    await client.advance('1h')
    const second = await client.made()
    const reply = await client.list()
    expect(ids(reply)).toEqual([second, first])
    expect(reply.body).toEqual({ items: [await client.task(second), await client.task(first)], total: 2 })
    expect(reply.body.items[1].content.url).toMatch(/^http/)
    shows('c.list.reply')
  })

  it('pages by page_num from 1 and page_size (20 by default), and total counts all', async ({ client }) => {
    const made: string[] = []
    for (let i = 0; i < 23; i++) made.unshift(await client.made())
    expect(ids(await client.list())).toEqual(made.slice(0, 20))
    expect(ids(await client.list('?page_num=2'))).toEqual(made.slice(20))
    expect(ids(await client.list('?page_num=3&page_size=5'))).toEqual(made.slice(10, 15))
    const { body } = await client.list('?page_num=9&page_size=100')
    expect(body).toEqual({ items: [], total: 23 })
    expect(ids(await client.list('?page_size=100000'))).toEqual(made)
    shows('c.list.first-page', 'c.list.page-size')
  })

  it.each([
    ...['page_num=0', 'page_num=-1', 'page_num=x', 'page_size=0', 'page_size=-5', 'page_size=1.5'],
    ...['filter.status=done', 'filter.status=expired', 'filter.task_type=video'],
  ])('refuses %s (C-list)', async query => {
    expectError(await world().list(`?${query}`), { message: query.split('=')[0] ?? '' })
    shows('c.list.page-num')
  })

  it('accepts page_size from 1 to 100, and empty parameters as absent (C-list)', async ({ client }) => {
    await client.made()
    await client.made()
    expect((await client.list('?page_size=1')).body).toMatchObject({ items: [{}], total: 2 })
    expect((await client.list('?page_size=100&filter.status=&filter.model=')).body.total).toBe(2)
  })

  it('a page holds at most 500 items, whatever page_size says, and total counts all (C-list)', async () => {
    const client = world()
    for (let i = 0; i < 501; i++) await client.made()
    const { body } = await client.list('?page_size=600')
    expect([body.items.length, body.total]).toEqual([500, 501])
    expect((await client.list('?page_size=600&page_num=2')).body.items).toHaveLength(1)
  })

  it('filters by each of the five statuses', async ({ client }) => {
    const wanted = {
      queued: await client.made(slow('1h', '1h')),
      running: await client.made(slow('0s', '1h')),
      succeeded: await client.made(slow('0s', '1s')),
      failed: await client.made(tagged('fail:1027')),
      cancelled: await client.made(tagged('cancel')),
    }
    await client.advance('30s')
    for (const [status, id] of Object.entries(wanted)) {
      const reply = await client.list(`?filter.status=${status}`)
      expect(ids(reply), status).toEqual([id])
      expect(reply.body.total).toBe(1)
    }
    shows('c.task.status', 'c.list.status')
  })

  it('filters by task type, and by the model name exactly as it was sent (C-list)', async ({ client }) => {
    const video = await client.made()
    const prompt = await client.made(enhanceBody({ model: 'MiniMax-H3' }), 'h3_context_ir')
    expect(ids(await client.list('?filter.task_type=generation'))).toEqual([video])
    expect(ids(await client.list('?filter.task_type=h3_context_ir'))).toEqual([prompt])
    expect(ids(await client.list('?filter.task_type=regeneration'))).toEqual([])
    expect((await client.list('?filter.model=model_c')).body.total).toBe(1)
    expect((await client.list('?filter.model=MiniMax-H3')).body.total).toBe(1)
    expect((await client.list('?filter.model=model_b')).body.total).toBe(0)
    shows('c.list.model', 'c.list.task-type')
  })

  it('filters by repeated ids, together with other filters (C-list)', async ({ client }) => {
    const made = [await client.made(), await client.made(), await client.made(enhanceBody(), 'h3_context_ir')]
    const query = `?filter.task_ids=${made[0]}&filter.task_ids=${made[2]}&filter.task_ids=1`
    expect(ids(await client.list(query))).toEqual([made[2], made[0]])
    expect(ids(await client.list(`${query}&filter.task_type=generation`))).toEqual([made[0]])
    expect(ids(await client.list('?filter.task_ids=1'))).toEqual([])
    shows('c.list.ids')
  })

  it('of the special variant has the same pages and filters', async () => {
    const client = world(special)
    const running = await client.made(slow('0s', '1h'))
    await client.advance('30s')
    const queued = await client.made(slow('1h', '1h'))
    expect(ids(await client.list('?filter.status=queued'))).toEqual([queued])
    expect(ids(await client.list(`?filter.status=running&filter.task_ids=${running}`))).toEqual([running])
    expect((await client.list('?page_num=2&page_size=1')).body).toMatchObject({
      items: [{ id: running }],
      total: 2,
    })
    expectError(await client.list('?page_num=0'), { message: 'page_num' })
    shows('special.list.parameters')
  })
})

describe.each(variants)(
  'deleting a finished task in $id (Spec, "States and transitions", C and C-special)',
  variant => {
    const it = test.extend('client', () => world(variant))
    it.for([
      ['succeeded', slow('0s', '1s'), ['reserved', 'settled']],
      ['failed', tagged('fail:1000'), ['reserved', 'refunded']],
    ] as const)(
      'removes the record of a %s task, which is unknown afterwards; charges and media stay',
      async ([status, body, kinds], { client }) => {
        const id = await client.made(body)
        await client.advance('30s')
        const task = await client.task(id)
        expect(task.status).toBe(status)
        const charges = await client.charges()
        expect(charges.map(([kind]) => kind)).toEqual(kinds)
        expect((await client.delete(id)).body).toEqual({ task_id: id, action: 'deleted', status: 'deleted' })
        const unknown = { ...variant.unknown, message: 'invalid task_id (2013)' }
        for (const ask of [client.get, client.delete]) expectError(await ask(id), unknown)
        expect((await client.list()).body.total).toBe(0)
        expect(await client.charges()).toEqual(charges)
        if (status === 'succeeded') expect((await gateway.download(task.content.url)).status).toBe(200)
        shows('c.delete.finished', 'c.delete.reply')
        shows('special.delete.finished', 'special.delete.charges', 'special.delete.reply')
      },
    )
  },
)

describe('deleting in the standard variant (Spec, "States and transitions", C)', () => {
  it('cancels a queued task, which stays visible and costs nothing', async ({ client }) => {
    const id = await client.made(slow('10s', '10s'))
    expect((await client.task(id)).status).toBe('queued')
    expect((await client.delete(id)).body).toEqual({ task_id: id, action: 'cancelled', status: 'cancelled' })
    const task = await client.task(id)
    expect(task.status).toBe('cancelled')
    expect(task).not.toHaveProperty('usage')
    expect((await client.charges()).map(([kind]) => kind)).toEqual(['reserved', 'refunded'])
    await client.advance('1h')
    expect((await client.task(id)).status).toBe('cancelled')
    shows('c.delete.queued', 'c.delete.queued-free', 'c.delete.reply')
  })

  it('refuses running and cancelled tasks with 400 and leaves them unchanged (C-delete)', async () => {
    const client = world()
    const running = await client.made(slow('0s', '1h'))
    const cancelled = await client.made(slow('1h', '1h'))
    await client.delete(cancelled)
    for (const [status, id] of Object.entries({ running, cancelled })) {
      expect((await client.task(id)).status).toBe(status)
      expectError(await client.delete(id), {
        message: `task cannot be cancelled or deleted while status is ${status} (2013)`,
      })
      expect((await client.task(id)).status).toBe(status)
    }
    shows('c.delete.running')
  })

  it('works for prompt enhancements too', async ({ client }) => {
    const id = await client.made(enhanceBody(), 'h3_context_ir')
    expect((await client.delete(id)).body.action).toBe('cancelled')
  })
})

describe('deleting in the special variant (Spec, "States and transitions", C-special)', () => {
  it('answers 501 for running (Spec, "Errors" rule 5) and for queued tasks (C-delete), which continue', async () => {
    const client = world(special)
    const id = await client.made(slow('10s', '10s'))
    const refusal = { status: 501, type: 'not_implemented_error' }
    expectError(await client.delete(id), { ...refusal, message: 'queued' })
    await client.advance('10s')
    expect((await client.task(id)).status).toBe('running')
    expectError(await client.delete(id), { ...refusal, message: 'running' })
    await client.advance('10s')
    expect((await client.task(id)).status).toBe('succeeded')
    shows('special.delete.running')
  })

  it('answers 501, which the specification declares, for a cancelled task and changes nothing (Spec, "Endpoints", C-special; C-delete)', async () => {
    const client = world(special)
    const id = await client.made(tagged('cancel'))
    await client.advance('30s')
    const refusal = { status: 501, type: 'not_implemented_error', message: 'a task that is cancelled' }
    expectError(await client.delete(id), refusal)
    expect((await client.task(id)).status).toBe('cancelled')
    shows('special.delete.statuses')
  })
})

describe.each(variants)('errors of $id (Spec, "Errors", C and C-special)', variant => {
  const it = test.extend('client', () => world(variant))
  const { prefix, id } = variant

  it('do not depend on an /api prefix: paths below it do not exist (Spec, "Endpoints", Family C)', async () => {
    expect((await gateway.post(`/api${prefix}/v2/video_generation`, textBody())).status).toBe(404)
    shows('c.path.no-api')
  })

  it(`belong to operations named ${id}.* in the journal`, async ({ client }) => {
    await client.get('1')
    const { body } = await client.control('GET', '/requests')
    expect(body.items.at(-1)).toMatchObject({ operation: `${id}.get`, status: variant.unknown.status })
  })
})

it('the two causes of 403 have different messages (Spec, "Authentication" 4)', async ({ client }) => {
  const message = async (fault: string) =>
    (await client.make('video_generation', tagged(`refuse:${fault}`))).body.error.message
  expect(await message('moderated')).toBe('video description contains sensitive content (1026)')
  expect(await message('forbidden_model')).not.toBe(await message('moderated'))
})
