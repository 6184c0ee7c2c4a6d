// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { expect, it, onTestFinished } from 'vitest'
import type { ControlEndpoint } from '../../src/emulator/control/control-endpoint.ts'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { connectEmulator } from '../../src/index.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/** A call of the control API as a client sends it. Unlike `gateway.control`, it opens no world before. */
async function ask(method: string, path: string, body?: unknown, url = gateway.url) {
  const reply = await fetch(`${url}/__emulator${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  const text = await reply.text()
  // biome-ignore lint/suspicious/noExplicitAny: replies of every call
  const value: any = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: reply.status, body: value }
}

const names = async (url?: string): Promise<string[]> =>
  (await ask('GET', '/worlds', undefined, url)).body.items.map(({ id }: { id: string }) => id)

const titleOf = ({ method, paths }: ControlEndpoint) => `${method} ${paths[0]}`
/** The calls that set something, with a body that each accepts in an empty world. */
const opening: Readonly<Record<string, unknown>> = {
  'POST /reset': {},
  'PATCH /clock': { mode: 'manual' },
  'POST /clock/advance': { by: '30s' },
  'POST /clock/join': undefined,
  'PUT /scenarios/active': { names: ['outage'] },
  'PATCH /scenarios/active': { names: ['outage'] },
  'POST /scenarios': { name: 'mine', rules: [{ then: { refuse: { fault: 'unavailable' } } }] },
  'POST /inject': { operation: 'a.get', nth: 2, then: { refuse: { fault: 'unavailable' } } },
  'POST /tasks': { family: 'a', kind: 'a' },
  'PATCH /accounts/:id': { balance: 5 },
  'POST /assets': { kind: 'image', data: `data:image/png;base64,${onePixel()}` },
  'POST /snapshots': { name: 'ready' },
}

function onePixel(): string {
  return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
}

const reading = controlEndpoints.filter(
  row => !(titleOf(row) in opening) && titleOf(row) !== 'PUT /state' && !row.paths[0].startsWith('/worlds'),
)

it('any other call below a world that is not open is a 404 that names the nearest worlds, and opens nothing', async () => {
  await ask('POST', '/worlds', { id: 'checkout' })
  const before = await names()
  expect(reading.length).toBeGreaterThan(30)
  for (const row of reading) {
    const body = row.body ? (row.example?.body ?? {}) : undefined
    const path = `/worlds/chekout${row.paths[0].replace(/:\w+/g, 'x')}`
    const reply = await ask(row.method, path, body)
    const message = 'The world chekout does not exist'
    const error = { code: 'not_found', message, path: 'world', hint: 'did you mean checkout?' }
    expect([reply.status, reply.body.error], titleOf(row)).toEqual([404, error])
  }
  expect(await names()).toEqual(before)
})

it.each(Object.entries(opening))('%s opens the world of its path, and says so once', async (title, body) => {
  const [method = '', path = ''] = title.split(' ')
  const id = `set-${Object.keys(opening).indexOf(title)}`
  const below = `/worlds/${id}${path.replace(':id', 'default')}`
  const first = await ask(method, below, body)
  expect([first.status < 300, first.body.opened]).toEqual([true, true])
  expect(await names()).toContain(id)
  const second = await ask(method, below, body)
  expect([second.status < 300, second.body.opened]).toEqual([true, undefined])
})

it('PUT /state opens the world of its path, and says so', async () => {
  const { body: state } = await ask('GET', '/state')
  expect((await ask('PUT', '/worlds/moved/state', state)).body).toMatchObject({ id: 'moved', opened: true })
})

it.each([
  ['PUT', '/scenarios/active', { names: ['outge'] }],
  ['POST', '/clock/advance', { until: { task: 'none', status: 'succeeded' } }],
  ['POST', '/tasks', { family: 'a', kind: 'k' }],
  ['POST', '/assets', { kind: 'image', data: 'data:image/png;base64,AAAA' }],
  ['PUT', '/state', { version: 99 }],
  ['PATCH', '/clock', { mode: 'sideways' }],
])('%s %s that is refused leaves no world behind', async (method, path, body) => {
  const reply = await ask(method, `/worlds/refused${path}`, body)
  expect([reply.status >= 400, reply.status < 500]).toEqual([true, true])
  expect(await names()).not.toContain('refused')
})

it('a world that a refused call opened stays when somebody else used it meanwhile', async () => {
  const { emulator, url } = await small()
  const { worlds } = emulator.services
  const { takeBack } = worlds.openForCall('shared')
  worlds.open('shared')
  takeBack()
  expect(await names(url)).toContain('shared')
})

it('reading and refused calls drop no world, however many; setting calls drop the one that was not used for longest', async () => {
  const { url } = await small()
  for (const id of ['a', 'b']) await ask('PATCH', `/worlds/${id}/clock`, {}, url)
  expect(await names(url)).toEqual(['default', 'a', 'b'])
  for (let n = 0; n < 5; n++) {
    await ask('GET', `/worlds/evil${n}/clock`, undefined, url)
    await ask('PUT', `/worlds/evil${n}/scenarios/active`, { names: ['none such'] }, url)
  }
  expect(await names(url)).toEqual(['default', 'a', 'b'])
  await ask('GET', '/worlds/a/clock', undefined, url)
  await ask('PATCH', '/worlds/c/clock', {}, url)
  expect(await names(url)).toEqual(['default', 'a', 'c'])
  await ask('DELETE', '/worlds/default', undefined, url)
  // The request that reads opens `default` again, and drops nothing.
  expect(await names(url)).toEqual(['a', 'c', 'default'])
})

async function small() {
  const { assembleInMemory, listen } = await import('../../src/emulator/server/emulator.ts')
  const gateway = await listen(assembleInMemory({ port: 0, maxWorlds: 3 }))
  onTestFinished(gateway.close)
  return gateway
}

it('a name that no open world resembles is answered with the open worlds', async () => {
  const { url } = await small()
  const { body } = await ask('GET', '/worlds/something-else-entirely/findings', undefined, url)
  expect(body.error.hint).toBe('open are default')
})

it('a client in code gets an error for everything that it reads in a misspelt world', async () => {
  const world = connectEmulator(gateway.url).worldNamed('chekout')
  const absent = { status: 404, code: 'not_found', hint: expect.stringContaining('checkout') }
  for (const read of [
    () => world.requests.verify({ match: {}, count: { exactly: 0 } }),
    () => world.requests.mustHave({ match: {} }),
    () => world.requests.list(),
    () => world.requests.clear(),
    () => world.findings(),
    () => world.tasks.list(),
    () => world.tasks.story('x'),
    () => world.ledger(),
    () => world.clock.get(),
    () => world.snapshots.restore('ready'),
    () => world.drop(),
  ])
    await expect(read()).rejects.toMatchObject(absent)
  expect(await world.clock.advance('1s')).toMatchObject({ opened: true })
  await world.drop()
})

it.each([
  ['mine', 0, 'openWorld takes an object, not "mine" (did you mean {"id":"mine"}?)'],
  [null, 0, 'openWorld takes an object, not null'],
  [['mine'], 0, 'openWorld takes an object, not ["mine"]'],
  [{ name: 'mine' }, 400, 'name'],
  [{ id: 'mine', clok: 'auto' }, 400, 'clok'],
  [{ id: 'mine', clock: { mod: 'auto' } }, 400, 'mod'],
  [{ id: 'mine', clock: 'atuo' }, 400, 'atuo'],
])('openWorld(%j) in plain JavaScript is refused, and opens nothing', async (given, status, message) => {
  const before = await names()
  const opening = connectEmulator(gateway.url).openWorld(given as object)
  await expect(opening).rejects.toMatchObject({ status, message: expect.stringContaining(message) })
  expect(await names()).toEqual(before)
})

it.each(['verify_requests', 'get_findings', 'list_tasks'])(
  'agents get an error from %s of a misspelt world, not an empty answer',
  async name => {
    const params = { name, arguments: { world: 'chekout' } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { body } = await ask('POST', '/mcp', call)
    expect(body.result.isError).toBe(true)
    expect(body.result.content[0].text).toBe('The world chekout does not exist (did you mean checkout?)')
  },
)
