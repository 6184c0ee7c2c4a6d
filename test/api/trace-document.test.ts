import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { traceSchema } from '../../build/guide/trace-schema.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import type { Trace } from '../../src/kits/client/types.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const world = connectEmulator(gateway.url).worldNamed('run')
const call = (method: string, path: string, body?: unknown) =>
  gateway.call(method, path, body, { key: world.apiKey })
const picture = { model: 'model_image', prompt: 'a kite', size: '1K', response_format: 'url' }
const traceparent = `00-${'a1'.repeat(16)}-00f067aa0ba902b7-01`

let task = ''
let trace: Trace

/** A run with a refused create, a refused poll, a task whose record is lost, a broken file, a key that is wrong, and a lost reply. */
beforeAll(async () => {
  await world.inject('a.create', 1, { refuse: { fault: 'rate_limited', retry_after: '2s' } })
  await world.inject('a.create', 2, { task: { queued: '1s', running: '10s', gone: '1m' } })
  await world.inject('a.get', 2, { refuse: { fault: 'unavailable' } })
  await world.inject('image.generate', 1, { connection: { reset: 'before_headers' } })
  await world.inject('media.download', 1, { media: 'empty' })
  await call('POST', tasksPath, textBody())
  await world.clock.advance('3s')
  task = (await call('POST', tasksPath, textBody())).body.id
  await call('GET', `${tasksPath}/${task}`)
  await call('GET', `${tasksPath}/${task}`)
  await world.clock.advance('20s')
  const traced = { key: world.apiKey, headers: { traceparent } }
  await gateway.call('GET', `${tasksPath}/${task}`, undefined, traced)
  await world.clock.advance('3h')
  await call('GET', `${tasksPath}/${task}`)
  await gateway.call('GET', tasksPath, undefined, { key: 'sk-test-run.unknown account' })
  await call('POST', '/api/v3/images/generations', picture).catch(() => undefined)
  const made = await call('POST', '/api/v3/images/generations', picture)
  for (const _ of [1, 2]) await gateway.download(made.body.data[0].url)
  trace = await world.trace()
})

const callsOf = (operation: string, of = trace) =>
  of.attempts.filter(attempt => attempt.operation === operation).flatMap(({ calls }) => calls)

describe('the document', () => {
  it('fits its published schema, which is made from the types', async () => {
    const published = readFileSync(join(root, 'docs/trace.schema.json'), 'utf8')
    expect(JSON.parse(published)).toEqual(traceSchema())
    const { body } = await gateway.control('GET', '/trace.schema.json')
    expect(body).toEqual(JSON.parse(published))
    const check = new Ajv2020({ strict: false }).compile(body)
    check(trace)
    expect(check.errors ?? []).toEqual([])
    check({ ...trace, attempts: [{ calls: [] }] })
    expect(check.errors).toHaveLength(1)
  })

  it('has every call once, also those without a task', async () => {
    const shown = trace.attempts.flatMap(({ calls }) => calls.map(({ request_id }) => request_id)).sort()
    expect(shown).toEqual((await world.requests.list()).map(({ request_id }) => request_id).sort())
  })

  it('groups a create with its refusals, the polls of a task, and the reads of a file', () => {
    const grouped = trace.attempts.map(({ operation, calls }) => `${operation} ${calls.length}`)
    expect(grouped).toEqual(['a.create 2', 'a.get 4', 'image.generate 2', 'media.download 2'])
    const [made, polled, ...others] = trace.attempts.map(({ task_id }) => task_id)
    expect([made, polled]).toEqual([task, task])
    for (const id of others) expect(id).toEqual(expect.any(String))
  })

  it('says what acted, which wait was asked for and kept, and that polls of a lost record are refused', () => {
    const [refused, made] = callsOf('a.create')
    expect(refused).toMatchObject({
      status: 429,
      fault: 'rate_limited',
      acted: expect.stringMatching(/^refused: rate_limited, try again after 2 s \(inject-\d+\)$/),
      effect: { refuse: { fault: 'rate_limited', retry_after: '2s' } },
    })
    expect(made).toMatchObject({ status: 200, wait: { asked_s: 2, kept_s: 3 }, task_ids: [task] })
    expect(callsOf('a.get').map(({ status }) => status)).toEqual([200, 503, 200, 404])
    for (const call of callsOf('a.get')) expect(call).not.toHaveProperty('broken')
  })

  it('calls a reply broken when its client could not use it, whatever its status', () => {
    expect(callsOf('image.generate').map(({ status, broken }) => [status, broken])).toEqual([
      [200, 'reset'],
      [200, undefined],
    ])
    const [empty, whole] = callsOf('media.download')
    expect(empty).toMatchObject({ status: 200, broken: 'empty', effect: { media: 'empty' }, bytes: 0 })
    expect(whole).toMatchObject({ status: 200, bytes: Number(whole?.response.headers['Content-Length']) })
    expect(whole).not.toHaveProperty('broken')
  })

  it('has beginning, first byte and end of a call in both times', () => {
    const [lost, ...others] = [
      ...callsOf('image.generate'),
      ...['a.create', 'a.get', 'media.download'].flatMap(operation => callsOf(operation)),
    ]
    expect(others).toHaveLength(9)
    for (const one of others) {
      expect(Date.parse(one.first_byte_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one.at))
      expect(Date.parse(one.ended_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one.first_byte_at ?? ''))
      expect(one.first_byte_wall_ms).toBeGreaterThanOrEqual(one.wall_ms)
      expect(one.ended_wall_ms).toBeGreaterThanOrEqual(one.first_byte_wall_ms ?? Number.NaN)
    }
    expect(lost?.ended_wall_ms).toBeGreaterThanOrEqual(lost?.wall_ms ?? Number.NaN)
    expect(lost).not.toHaveProperty('first_byte_at')
  })

  it('has the states of a task, its links, their end as an event, and its money', () => {
    const shown = trace.tasks.find(({ id }) => id === task)
    expect(shown?.states.map(({ status }) => status)).toEqual(['queued', 'running', 'succeeded', 'gone'])
    for (const state of shown?.states ?? []) expect(state).not.toHaveProperty('planned')
    expect(shown?.links).toMatchObject([{ output: 'video', downloads: 0 }])
    expect(shown?.money.map(({ kind }) => kind)).toEqual(['reserved', 'settled'])
    const own = trace.events.filter(({ task_id }) => task_id === task)
    expect(own.find(({ kind }) => kind === 'links_end')).toMatchObject({
      at: shown?.links[0]?.expires_at,
      text: 'links end: video, never opened',
    })
    const kinds = own.map(({ kind }) => kind).join(' ')
    expect(kinds).toBe('state money state state money links_open state links_end')
  })

  it('has what was done by hand, after the call that it followed', () => {
    const moves = trace.events.filter(({ text }) => text.startsWith('the clock was moved'))
    const told = moves.map(({ action }) => `after ${action?.after}: ${action?.moved_ms} ms`)
    expect(told).toEqual(['after 1: 3000 ms', 'after 4: 20000 ms', 'after 5: 10800000 ms'])
  })

  it('has the moves of one hand without a request between them as one', async () => {
    const other = connectEmulator(gateway.url).worldNamed('moves')
    const move = (by: string, actor: Record<string, string> = {}) =>
      gateway.call('POST', '/__emulator/worlds/moves/clock/advance', { by }, { headers: actor })
    for (const by of ['1s', '2s']) await move(by)
    for (const by of ['4s', '8s']) await move(by, { 'X-Emulator-By': 'program' })
    const { events } = await other.trace()
    expect(events.map(({ kind, action }) => [kind, action?.moved_ms])).toEqual([
      ['by_hand', 3000],
      ['by_program', 12_000],
    ])
  })

  it('has findings at the moment when they became true', () => {
    const [unfetched] = trace.findings.filter(({ kind }) => kind === 'result_not_fetched')
    const end = trace.events.find(({ kind }) => kind === 'links_end')
    expect(unfetched).toMatchObject({ task_id: task, at: end?.at })
  })
})

describe('parts of a run', () => {
  it('of a task: with the refused create before it', async () => {
    const part = await world.trace({ task })
    expect(part.tasks.map(({ id }) => id)).toEqual([task])
    const grouped = part.attempts.map(({ operation, calls }) => `${operation} ${calls.length}`)
    expect(grouped).toEqual(['a.create 2', 'a.get 4'])
    expect(part.events.filter(({ task_id }) => task_id === task).length).toBeGreaterThan(5)
    expect(part.events.filter(({ task_id }) => task_id !== undefined && task_id !== task)).toEqual([])
  })

  it('since an entry, and of a trace id', async () => {
    expect(callsOf('a.get', await world.trace({ since: 5 }))).toHaveLength(1)
    const part = await world.trace({ trace_id: traceparent })
    expect(part.attempts.map(({ calls }) => calls.length)).toEqual([1])
    expect(part.tasks.map(({ id }) => id)).toEqual([task])
  })

  it('of a task of which nobody knows is refused', async () => {
    const { status, body } = await gateway.control('GET', '/worlds/run/trace?task=nothing')
    expect([status, body.error.message]).toEqual([404, 'The task nothing does not exist'])
  })

  it.each([
    ['since', 'yesterday'],
    ['trace_id', 'xyz'],
  ])('a wrong %s is refused by name', async (name, value) => {
    const { status, body } = await gateway.control('GET', `/worlds/run/trace?${name}=${value}`)
    expect([status, body.error.path]).toEqual([400, name])
    expect(body.error.message).toContain(value)
  })
})

it('a request whose reply is held back is open, and says so', async () => {
  const slow = connectEmulator(gateway.url).worldNamed('slow')
  await slow.inject('a.list', 1, { connection: 'hang' })
  const left = new AbortController()
  const asked = fetch(gateway.url + tasksPath, {
    headers: { authorization: `Bearer ${slow.apiKey}` },
    signal: left.signal,
  }).catch(() => 'left')
  await expect
    .poll(async () => (await slow.trace()).open)
    .toMatchObject([{ operation: 'a.list', state: 'held_back', text: 'a scenario holds its reply back' }])
  left.abort()
  expect(await asked).toBe('left')
  await expect.poll(async () => (await slow.trace()).open).toEqual([])
  expect(callsOf('a.list', await slow.trace())).toMatchObject([{ broken: 'stalled' }])
})

it('open requests stand in the order in which they came, also when one of them has ended', async () => {
  const held = connectEmulator(gateway.url).worldNamed('held')
  const idsOfOpen = async () => (await held.trace()).open.map(({ request_id }) => request_id)
  for (const nth of [1, 2, 3, 4]) await held.inject('a.list', nth, { connection: 'hang' })
  const clients = [1, 2, 3, 4].map(() => new AbortController())
  const ids: string[] = []
  for (const { signal } of clients) {
    const headers = { authorization: `Bearer ${held.apiKey}` }
    fetch(gateway.url + tasksPath, { headers, signal }).catch(() => 'left')
    await expect.poll(idsOfOpen).toHaveLength(ids.length + 1)
    ids.push((await idsOfOpen()).find(id => !ids.includes(id)) ?? '')
  }
  expect(await idsOfOpen()).toEqual(ids)
  clients[0]?.abort()
  await expect.poll(idsOfOpen).toEqual(ids.slice(1))
  for (const client of clients) client.abort()
  await expect.poll(idsOfOpen).toEqual([])
})
