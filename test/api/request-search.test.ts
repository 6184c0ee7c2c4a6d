// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const create = (text: string, more: object = {}) =>
  gateway.post(tasks, { model: 'model_a_20', content: [{ type: 'text', text }], ratio: '16:9', ...more })
const found = async (query: string) =>
  (await gateway.control('GET', `/requests?${query.replaceAll(' ', '+')}`)).body.items.map(
    ({ id }: { id: number }) => id,
  )

it('finds requests by request id or its start, id of the task, header, and words of both bodies', async () => {
  const first = await create('A heron over the reeds')
  const second = await create('Ein Fährmann', { resolution: '9k' })
  const { items } = (await gateway.control('GET', '/requests')).body
  const [one, two] = items.slice(-2)
  expect(await found(`search=${first.headers['x-request-id']}`)).toEqual([one.id])
  expect(await found(`search=${String(second.headers['x-request-id']).slice(0, 20)}`)).toContain(two.id)
  expect(await found('search=REEDS heron')).toEqual([one.id])
  expect(await found(`search=${first.body.id}`)).toEqual([one.id])
  expect(await found('search=F%C3%A4hrmann')).toEqual([two.id])
  expect(await found('search=480p')).toEqual([two.id])
  expect(await found('search=application/json heron')).toEqual([one.id])
  expect(await found('search=heron nowhere')).toEqual([])
  expect(await found('kind=refused&search=resolution')).toEqual([two.id])
})

it.each([
  ['a.get', { connection: { reset: 'mid_body' } }, 'cut', { kind: 'reset', place: 'mid_body' }],
  ['a.get', { connection: { reset: 'before_headers' } }, 'reset', { kind: 'reset', place: 'before_headers' }],
  ['a.get', { connection: 'garble' }, 'garbled', { kind: 'garble' }],
  ['media.download', { media: 'truncated' }, 'cut', { kind: 'truncated', share: 0.5 }],
  ['media.download', { media: 'empty' }, 'empty', { kind: 'empty' }],
  ['media.download', { media: 'wrong_type' }, 'wrong_type', { kind: 'wrong_type' }],
  ['media.download', { media: { slow: '9MB/s' } }, undefined, { kind: 'slow', bytes_per_second: 9_000_000 }],
])(
  '%s with %j is broken: %j, and its effect is data; a late reply is whole',
  async (operation, then, broken, effect) => {
    const made = await create('To be broken', { duration: 4, resolution: '480p' })
    await gateway.advance('2m')
    const link = (await gateway.get(`${tasks}/${made.body.id}`)).body.content.video_url
    await gateway.control('POST', '/inject', { operation, then })
    const ask = () =>
      fetch(operation === 'a.get' ? `${gateway.url}${tasks}/${made.body.id}` : link, {
        headers: operation === 'a.get' ? { Authorization: 'Bearer sk-emulator' } : {},
      }).then(reply => reply.arrayBuffer())
    await ask().catch(() => undefined)
    await gateway.control('POST', '/inject', { operation, then: { connection: { latency: '1ms' } } })
    await ask()
    const { items } = (await gateway.control('GET', `/requests?operation=${operation}&limit=2`)).body
    expect(items.map((entry: { broken?: string }) => entry.broken)).toEqual([broken, undefined])
    const late = { kind: 'latency', ms: 1 }
    expect(items.map((entry: { effects?: object[] }) => entry.effects)).toEqual([[effect], [late]])
    expect((await found('kind=broken')).includes(items[0].id)).toBe(broken !== undefined)
  },
)

it.each([
  ['a.creat', 'did you mean a.create?'],
  ['*.creat', 'did you mean *.create?'],
  ['nosuch', undefined],
])(
  'refuses to list the requests of "%s", an operation that nothing has, and says what is meant',
  async (operation, hint) => {
    const { status, body } = await gateway.control('GET', `/requests?operation=${operation}`)
    expect([status, body.error.code, body.error.path]).toEqual([400, 'bad_request', 'operation'])
    expect(body.error.message).toBe(`"${operation}" is not a known operation`)
    expect(body.error.hint).toBe(hint)
  },
)

it('lists the requests of paths that no operation has as the operation unknown', async () => {
  await gateway.get('/api/v9/nothing')
  const { items } = (await gateway.control('GET', '/requests?operation=unknow*&limit=1')).body
  expect(items).toMatchObject([{ operation: 'unknown', path: '/api/v9/nothing' }])
})

it('the end of links is an event of an advance, a row of the story, and in the line of the task', async () => {
  const made = await create('Links that end')
  await gateway.advance('2m')
  const story = async () => (await gateway.control('GET', `/tasks/${made.body.id}/story`)).body.items
  expect((await story()).at(-1).text).toContain('no client has read its links yet')
  await gateway.get(`${tasks}/${made.body.id}`)
  expect((await story()).at(-1).text).toContain('its links work for another')
  const line = (await gateway.control('GET', '/tasks?detail=line&limit=1')).body.items[0]
  expect((await story()).at(-1).next).toMatchObject({
    state: 'succeeded',
    changes: [],
    links: { end_ms: line.links_end_ms, read: true },
  })
  const { body } = await gateway.control('POST', '/clock/advance', { by: '3h' })
  const own = body.events.filter((event: { task_id: string }) => event.task_id === made.body.id)
  expect(own).toMatchObject([{ to: 'links_expired', at: new Date(line.links_end_ms).toISOString() }])
  const row = { kind: 'links', at_ms: line.links_end_ms }
  expect(await story()).toContainEqual(expect.objectContaining(row))
})

it('finds requests by facts: a status as a status, operation, account, time of day, and any name of the model', async () => {
  let other = await openGateway()
  // The port stands in a header, and headers are searched, too.
  while (other.url.includes('400')) other = await openGateway()
  const ask = async (search: string) =>
    (await other.control('GET', `/requests?search=${encodeURIComponent(search)}`)).body.items?.map(
      ({ id }: { id: number }) => id,
    )
  const content = [{ type: 'text', text: 'a 400 m race' }]
  const made = await other.post(tasks, { model: 'model_a_20', content })
  await other.advance('1h')
  await other.get(`${tasks}/${made.body.id}`)
  await other.get(`${tasks}/nothing`)
  await other.post(tasks, { model: 'model_a_20', content: 400 })
  const { items } = (await other.control('GET', '/requests')).body
  const between = new Date(items[1].at_ms - 1000).toISOString()
  const facts = {
    400: [4],
    '"400"': [1, 2, 4],
    '"400 m" race': [1, 2],
    '"m 400"': [],
    'status:4xx': [3, 4],
    'status:404': [3],
    'op:a.create': [1, 4],
    'account:default race': [1, 2],
    'account:shop': [],
    'doubao-seedance-2-0': [1, 2, 4],
    [`after:${between}`]: [2, 3, 4],
    [`before:${between.slice(11, 19)}`]: [1],
    'op:': [1, 2, 3, 4],
  }
  for (const [search, ids] of Object.entries(facts))
    expect([search, await ask(search)]).toEqual([search, ids])
  for (const search of ['status:late', 'after:soon', 'after:25', 'before:08:61'])
    expect((await other.control('GET', `/requests?search=${search}`)).body.error.path).toBe('search')
})

it('folds equal polls of a task into a line, also when polls of another task lie between, over the whole journal', async () => {
  const other = await openGateway()
  const body = { model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }] }
  const [one, two] = [await other.post(tasks, body), await other.post(tasks, body)]
  const poll = async (times: number, path: string) => {
    for (let i = 0; i < times; i++) {
      await other.get(`${tasks}/${path}`)
      await other.get(`${tasks}/${two.body.id}`)
      await other.advance('10ms')
    }
  }
  await poll(2, one.body.id)
  await other.control('POST', '/inject', { operation: 'a.get', then: { refuse: { fault: 'internal' } } })
  await poll(4, one.body.id)
  const { items, total, lines } = (await other.control('GET', '/requests?detail=line&polls=folded&limit=3'))
    .body
  expect([total, lines]).toEqual([14, 7])
  expect(items.map(({ ids }: { ids: number[] }) => ids.length)).toEqual([1, 3, 6])
  expect(items[1]).toMatchObject({ prompt: 'a kite', model: 'model_a_20', within_ms: 20 })
  expect(items[1].request).toBeUndefined()
})
