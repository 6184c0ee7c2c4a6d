import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assembleInMemory, listen } from '../../src/emulator/server/emulator.ts'
import type { NewEntry } from '../../src/emulator/worlds/journal.ts'

const { emulator, url, close } = await listen(
  assembleInMemory({ port: 0, clock: { mode: 'manual', rate: 1 }, now: Date.parse('2026-03-01T08:00:00Z') }),
)
afterAll(close)
const path = '/api/v3/contents/generations/tasks'
const full = { key: 'sk-test-full', below: '/worlds/full' }

async function ask(method: string, below: string, { body, key }: { body?: unknown; key?: string } = {}) {
  const reply = await fetch(url + below, {
    method,
    headers: { ...(key && { Authorization: `Bearer ${key}` }), 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, and a wrong reading fails the test
  return { status: reply.status, body: (await reply.json()) as any }
}

const control = (method: string, below: string, body?: unknown) =>
  ask(method, `/__emulator${below}`, { body })
const create = (key: string) =>
  ask('POST', path, { key, body: { model: 'model_a_20', content: [{ type: 'text', text: 'x' }] } })
const verify = (body: object) => control('POST', `${full.below}/requests/verify`, body)

const exchange = (changes: Partial<NewEntry>): NewEntry => ({
  at: Date.parse('2026-03-01T08:00:00Z'),
  account: 'default',
  operation: 'a.get',
  method: 'GET',
  url: path,
  status: 200,
  requestId: 'r',
  durationMs: 1,
  startedMs: 0,
  requestHeaders: [],
  requestBody: undefined,
  responseHeaders: {},
  responseBody: '{}',
  ...changes,
})
let task = ''

/** One create, then more polls than a journal holds. */
beforeAll(async () => {
  task = (await create(full.key)).body.id
  const { journal } = emulator.services.worlds.open('full')
  for (let i = 0; i < 10_100; i++) journal.add(exchange({ taskIds: [task] }))
})

describe('a verdict over a journal that was full says that it is not certain', () => {
  it.each([
    ['exactly', { match: { operation: 'a.create' }, count: { exactly: 0 } }],
    ['at most', { match: { operation: 'a.create' }, count: { at_most: 3 } }],
    ['at least, with too few found', { match: { operation: 'a.create' }, count: { at_least: 1 } }],
    ['by the number of the call', { match: { operation: 'a.get', call: 1 } }],
    ['an order with a missing step', { order: [{ operation: 'a.create' }, { operation: 'a.get' }] }],
  ])('a count is not reported as true: %s', async (_, body) => {
    const { body: verdict } = await verify(body)
    expect(verdict).toMatchObject({
      ok: false,
      incomplete: expect.stringMatching(/entries up to number \d+ .*were dropped/),
    })
    expect(verdict.message).toMatch(/this is not certain, since the journal was full/)
  })

  it.each([
    ['at least', { match: { operation: 'a.get' }, count: { at_least: 5 } }, true],
    ['exactly, with too many found', { match: { operation: 'a.get' }, count: { exactly: 5 } }, false],
    ['an order that was found', { order: [{ operation: 'a.get' }, { operation: 'a.get' }] }, true],
  ])('a verdict that dropped entries cannot change is certain: %s', async (_, body, ok) => {
    const { body: verdict } = await verify(body)
    expect(verdict.ok).toBe(ok)
    expect(verdict.message ?? '').not.toMatch(/not certain/)
    expect(verdict.incomplete).toMatch(/were dropped/)
  })

  it('stories, findings and the list of requests say that entries may be missing', async () => {
    const story = (await control('GET', `${full.below}/tasks/${task}/story`)).body
    expect(story.incomplete).toMatch(/were dropped/)
    expect(story.text).toMatch(/requests before this may be missing/)
    for (const list of ['/findings', '/requests?limit=1'])
      expect((await control('GET', full.below + list)).body.incomplete).toMatch(/were dropped/)
  })

  it('a verdict is certain when no entry is missing', async () => {
    const quiet = (await create('sk-test-quiet')).body.id
    const below = '/worlds/quiet'
    const one = { match: { operation: 'a.create' }, count: { exactly: 1 } }
    const { body } = await control('POST', `${below}/requests/verify`, one)
    expect(body).toMatchObject({ ok: true, found: 1 })
    expect(body.incomplete).toBeUndefined()
    expect((await control('GET', `${below}/tasks/${quiet}/story`)).body.incomplete).toBeUndefined()
  })
})

it('a busy world with many large entries does not empty a quiet world’s journal', async () => {
  await ask('GET', path, { key: 'sk-test-calm' })
  const { journal } = emulator.services.worlds.open('busy')
  for (let i = 0; i < 100; i++) journal.add(exchange({ requestBody: 'x'.repeat(1024 * 1024) }))
  const one = { match: { operation: 'a.list' }, count: { exactly: 1 } }
  const { body } = await control('POST', '/worlds/calm/requests/verify', one)
  expect(body).toMatchObject({ ok: true, found: 1 })
})

describe('a client that polls without a wait, with a clock that does not run by itself', () => {
  /** Findings about polls of one task: the wall ms between two polls, and the virtual ms that the clock moves between them. */
  async function findingsAfter(world: string, gapsMs: number[], advancedMs = 0) {
    const { id } = (await create(`sk-test-${world}`)).body
    const { journal } = emulator.services.worlds.open(world)
    let [startedMs, at] = [0, Date.parse('2026-03-01T08:00:00Z')]
    for (const gap of gapsMs) {
      startedMs += gap
      at += advancedMs
      journal.add(exchange({ taskIds: [id], requestId: `r${startedMs}`, startedMs, at }))
    }
    return (await control('GET', `/worlds/${world}/findings`)).body.items
  }
  const times = (count: number, gap: number) => Array.from({ length: count }, () => gap)

  it('is found when it polls many times in one virtual moment', async () => {
    const [found] = await findingsAfter('loop', times(40, 5))
    expect(found).toMatchObject({ kind: 'polls_too_fast' })
    expect(found.text).toMatch(
      /^polled 40 times in one moment of virtual time, with less than 100 ms of wall time/,
    )
    expect(found.request_ids).toHaveLength(40)
  })

  it.each([
    ['a few polls', times(9, 5), 0],
    ['polls with waits between', times(40, 500), 0],
    ['several short series of polls', [...times(8, 5), 500, ...times(8, 5)], 0],
    ['polls with moves of the clock between', times(40, 5), 1],
  ])('has no finding for %s', async (name, gaps, advancedMs) => {
    expect(await findingsAfter(`calm-${name.replaceAll(' ', '-')}`, gaps, advancedMs)).toEqual([])
  })
})

describe('since, in the list of requests', () => {
  it('accepts epoch milliseconds of any year, and the number of an entry', async () => {
    const early = '2001-01-01T00:00:00.000Z'
    await control('POST', '/worlds', { id: 'early', clock: { mode: 'manual', now: early } })
    const below = '/worlds/early'
    await create('sk-test-early')
    await control('POST', `${below}/clock/advance`, { by: '1h' })
    await create('sk-test-early')
    const ids = async (since: string | number) =>
      (await control('GET', `${below}/requests?since=${since}`)).body.items.map(
        (one: { id: number }) => one.id,
      )
    expect(await ids(Date.parse(early) + 1)).toEqual([2])
    expect(await ids(Date.parse(early))).toEqual([1, 2])
    expect(await ids(1)).toEqual([2])
    expect(await ids(0)).toEqual([1, 2])
  })
})
