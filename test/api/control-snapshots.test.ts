import { describe, expect, test, vi } from 'vitest'
import { openData } from '../support/data-gateway.ts'
import { tasksPath, textBody, worldOfA } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { accepted } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()

function inWorld() {
  const world = worldOfA(gateway)
  const { control } = world
  return {
    ...world,
    /** The world without its journal and its snapshots. */
    state: async () => (await control('GET', '/state')).body.state,
    tasks: async () =>
      (await control('GET', '/tasks')).body.items.map(({ id }: { id: string }) => id).reverse(),
  }
}
const it = test.extend('w', () => inWorld())

describe('snapshots', () => {
  it('restore everything: clock, draws, tasks, accounts, assets, downloads, scenarios', async ({ w }) => {
    const one = await w.made()
    await w.control('POST', '/clock/advance', { until: 'idle' })
    const url = (await w.get(one)).body.content.video_url
    await gateway.download(url)
    await w.control('PATCH', '/accounts/default', { balance: 500 })
    const sample = `${gateway.url}/__emulator/samples/square.png`
    await w.control('POST', '/assets', { kind: 'image', url: sample })
    await w.control('PUT', '/scenarios/active', { names: ['slow-queue'] })
    const before = await w.state()
    expect((await w.control('POST', '/snapshots', { name: 'ready' })).status).toBe(201)
    const third = async () => [await w.made(), await w.made(), await w.made()].at(-1)

    const next = await third()
    await gateway.download(url)
    await w.control('PATCH', '/accounts/default', { balance: 7 })
    await w.control('DELETE', '/assets')
    await w.control('POST', '/scenarios', { name: 'mine', rules: [] })
    await w.control('POST', '/clock/advance', { by: '3d' })
    expect(await w.state()).not.toEqual(before)

    accepted(await w.control('POST', '/snapshots/ready/restore'))
    expect(await w.state()).toEqual(before)
    expect(await third()).toBe(next)
  })

  it('can be restored any number of times, in any order', async ({ w }) => {
    const one = await w.made()
    await w.control('POST', '/snapshots', { name: 'one' })
    const two = await w.made()
    await w.control('POST', '/snapshots', { name: 'two' })
    for (const [name, ids] of [
      ['one', [one]],
      ['two', [one, two]],
      ['two', [one, two]],
      ['one', [one]],
      ['one', [one]],
    ] as const) {
      await w.control('POST', `/snapshots/${name}/restore`)
      expect(await w.tasks()).toEqual(ids)
      await w.made()
      await w.remove(one)
    }
  })

  it('cut the journal back to the entries before the snapshot', async ({ w }) => {
    await w.made()
    await w.control('POST', '/snapshots', { name: 'one' })
    await w.made()
    await w.control('POST', '/snapshots/one/restore')
    const count = { exactly: 1 }
    const { body } = await w.control('POST', '/requests/verify', { match: { operation: 'a.create' }, count })
    expect(body.ok).toBe(true)
    const again = await w.made()
    const story = (await w.control('GET', `/tasks/${again}/story`)).body.items
    expect(story.filter(({ kind }: { kind: string }) => kind === 'request')).toHaveLength(1)
  })

  it('make a realtime clock continue from their moment', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 1 })
    const { body } = await w.control('POST', '/snapshots', { name: 'now' })
    await w.control('POST', '/clock/advance', { by: '1d' })
    await w.control('POST', '/snapshots/now/restore')
    const { now_ms } = (await w.control('GET', '/clock')).body
    expect(now_ms - body.now_ms).toBeGreaterThanOrEqual(0)
    expect(now_ms - body.now_ms).toBeLessThan(86_400_000)
  })

  it.each(['.', '..', 'a/b', ''])('need a name that can be part of a path: %j is refused', async name => {
    const { status, body } = await gateway.control('POST', '/snapshots', { name })
    expect([status, body.error.path]).toEqual([400, 'name'])
  })

  it('are listed, replaced and removed by name in each world', async () => {
    const [w, other] = [inWorld(), inWorld()]
    for (const name of ['a', 'b', 'a']) await w.control('POST', '/snapshots', { name })
    const names = async () =>
      (await w.control('GET', '/snapshots')).body.items.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['b', 'a'])
    expect((await other.control('GET', '/snapshots')).body.items).toEqual([])
    expect((await w.control('DELETE', '/snapshots/b')).status).toBe(200)
    expect(await names()).toEqual(['a'])
    await w.control('POST', '/reset')
    expect(await names()).toEqual(['a'])
  })

  it.each([
    ['POST', '/snapshots/nope/restore', undefined, 404],
    ['DELETE', '/snapshots/nope', undefined, 404],
    ['POST', '/snapshots', {}, 400],
    ['POST', '/snapshots', { name: '' }, 400],
    ['POST', '/snapshots', { name: '../x' }, 400],
    ['POST', '/snapshots', { name: 7 }, 400],
    ['POST', '/snapshots', { name: 'a', nome: 'b' }, 400],
  ])('%s %s %j is %i', async (method, below, body, status) => {
    const reply = await inWorld().control(method, below, body)
    expect(reply.status).toBe(status)
    expect(reply.body.error.message).toBeTruthy()
  })

  it('do not copy tasks, however many there are', async ({ w }) => {
    const one = await w.made()
    const document = (await w.control('GET', '/state')).body
    const [, task] = document.state.tasks[0]
    document.state.tasks = Array.from({ length: 3000 }, (_, i) => [
      `${one}-${i}`,
      { ...task, id: `${one}-${i}` },
    ])
    expect((await w.control('PUT', '/state', document)).status).toBe(200)
    const json = (['stringify', 'parse'] as const).map(name => vi.spyOn(JSON, name))
    const copying = [...json, vi.spyOn(globalThis, 'structuredClone')]
    await w.control('POST', '/snapshots', { name: 'many' })
    await w.control('POST', '/snapshots/many/restore')
    const copied = copying.flatMap(({ mock }) => mock.calls.map(([value]) => value))
    vi.restoreAllMocks()
    // Two requests and their answers, and nothing the size of three thousand tasks.
    expect(copied.length).toBeLessThan(50)
    for (const value of copied) expect(String(JSON.stringify(value)).length).toBeLessThan(10_000)
    expect((await w.state()).tasks).toHaveLength(3000)
  })
})

it('with --data a restored world has the same records in the same order on disk and in memory', async () => {
  const data = ownFolder('gge-snapshots')
  type Call = [method: string, below: string, body?: object]
  /**
   * The document of the world after some calls, in a process of its own. Accounts that were never changed are made from their templates
   * on first use, so they need not be on disk.
   */
  const after = async (...calls: Call[]) => {
    const { url, send, close } = await openData(data, { now: Date.parse('2026-03-01T08:00:00Z') })
    const sample = `${url}/__emulator/samples/square.png`
    for (const [method, below, body] of calls)
      await send(method, below, below.endsWith('assets') && body ? { ...body, url: sample } : body)
    const { state, snapshots } = JSON.parse((await send('GET', '/__emulator/state')).text)
    await close()
    return JSON.stringify({ state: { ...state, accounts: [] }, snapshots })
  }
  const create: Call = ['POST', tasksPath, textBody()]
  const asset: Call = ['POST', '/__emulator/assets', { kind: 'image' }]
  const save = (name: string): Call => ['POST', '/__emulator/snapshots', { name }]
  const restore = (name: string): Call => ['POST', `/__emulator/snapshots/${name}/restore`]
  const left = await after(
    ...[create, asset, save('early'), create, ['DELETE', '/__emulator/assets'] satisfies Call, asset],
    ['POST', '/__emulator/clock/advance', { by: '1h' }],
    ...[save('late'), restore('early'), restore('late'), restore('early')],
  )
  expect(await after()).toBe(left)
  const restored = await after(restore('late'))
  expect(JSON.parse(restored).state.tasks).toHaveLength(2)
  expect(await after()).toBe(restored)
})
