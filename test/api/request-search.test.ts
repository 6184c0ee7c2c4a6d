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
    expect(items.map((entry: { effects?: object[] }) => entry.effects)).toEqual([
      [effect],
      [{ kind: 'latency', ms: 1 }],
    ])
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
  const ended = body.events.filter(
    ({ task_id, to }: { task_id: string; to: string }) => task_id === made.body.id && to === 'links_expired',
  )
  expect(ended.map(({ at }: { at: string }) => Date.parse(at))).toEqual([line.links_end_ms])
  expect(
    (await story()).some(
      ({ kind, at_ms }: { kind: string; at_ms: number }) => kind === 'links' && at_ms === line.links_end_ms,
    ),
  ).toBe(true)
})
