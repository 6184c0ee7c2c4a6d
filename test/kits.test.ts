// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startEmulator } from '../src/index.ts'
import { exploredWorld, kitEmulator } from '../src/kits/testing/kit-emulator.ts'
import { pageClock } from '../src/kits/testing/page-clock.ts'
import { test, testWith } from '../src/kits/testing/vitest.ts'

const running = await startEmulator({ clock: 'manual' })
afterAll(() => running.close())

describe('the kit for vitest', () => {
  const seen: string[] = []
  for (const count of [1, 2])
    test(`gives each test a world of its own with the clock skip: ${count}`, async ({ world, emulator }) => {
      expect(seen).not.toContain(world.id)
      seen.push(world.id)
      expect(await world.tasks.list()).toEqual([])
      expect((await world.clock.get()).mode).toBe('auto')
      await world.tasks.create({ family: 'a', kind: 'a' })
      // The world of the first test is gone.
      expect((await emulator.worlds()).map(({ id }) => id).filter(id => seen.includes(id))).toEqual([
        world.id,
      ])
    })

  testWith({ clock: 'manual', now: '2026-03-01T08:00:00Z' })(
    'has its options in the world',
    async ({ world }) => {
      expect(await world.clock.get()).toMatchObject({ mode: 'manual', now: '2026-03-01T08:00:00.000Z' })
    },
  )

  testWith({ url: running.url })('uses an emulator that runs already', async ({ world, emulator }) => {
    expect(emulator.url).toBe(running.url)
    expect((await running.worlds()).map(({ id }) => id)).toContain(world.id)
    expect((await world.clock.get()).mode).toBe('auto')
  })

  const refusing = { name: 'mine', rules: [{ then: { refuse: { fault: 'unavailable' as const } } }] }
  testWith({ url: running.url, scenarios: ['happy-path', refusing] })(
    'brings its scenarios to an emulator that runs already',
    async ({ world }) => {
      expect((await world.scenarios.list()).active).toEqual(['happy-path', 'mine'])
    },
  )

  testWith({
    url: running.url,
    seed: 11,
    clock: '60x',
    now: '2026-03-01T08:00:00Z',
    scenarios: ['outage', { name: 'mine', rules: [] }, 'chaos'],
  })('passes the options of a world to an emulator that runs already', async ({ world }) => {
    const view = (await running.worlds()).find(({ id }) => id === world.id)
    expect(view).toMatchObject({
      seed: 11,
      clock: { mode: 'realtime', rate: 60 },
      opened_at: '2026-03-01T08:00:00.000Z',
      scenarios: ['outage', 'mine', 'chaos'],
    })
  })

  it('refuses options that only a new emulator can have, and names them', async () => {
    const options = { seed: 1, clock: undefined, strict: true, inputs: 'none' as const }
    await expect(kitEmulator({ url: running.url, ...options })).rejects.toThrow(
      `The emulator at ${running.url} already runs and cannot take the options strict, inputs: start it`,
    )
    vi.stubEnv('GATEWAY_EMULATOR_URL', running.url)
    await expect(kitEmulator({ dataDir: '/x' })).rejects.toThrow('cannot take the options dataDir')
    vi.unstubAllEnvs()
  })

  it('gives a test that explore runs the world of its case', () => {
    expect(exploredWorld(running)).toBeUndefined()
    vi.stubEnv('GATEWAY_EMULATOR_CASE', 'undisturbed')
    vi.stubEnv('GATEWAY_EMULATOR_WORLD', 'world-7')
    expect(exploredWorld(running)?.id).toBe('world-7')
    vi.unstubAllEnvs()
  })

  it('leaves an emulator that it did not start running, and drops its world', async () => {
    expect((await running.health()).status).toBe('ok')
    expect((await running.worlds()).map(({ id }) => id)).toEqual(['default'])
  })
})

describe('a page’s clock', () => {
  /** A page that records the calls of its clock. */
  function notingPage() {
    const told: [string, number][] = []
    const clock = {
      install: async ({ time }: { time: number }) => void told.push(['install', time]),
      pauseAt: async (time: number) => void told.push(['pauseAt', time]),
      fastForward: async (ms: number) => void told.push(['fastForward', ms]),
    }
    return { told, page: { clock } as unknown as Parameters<ReturnType<typeof pageClock>['attach']>[0] }
  }

  it('starts at the world’s time and moves with every advance by the same time', async () => {
    const world = await running.openWorld({ clock: '60x', now: '2026-03-01T08:00:00Z' })
    const clock = pageClock(world.clock)
    const { told, page } = notingPage()
    await clock.attach(page)
    const { mode, now_ms: start } = await clock.get()
    expect(mode).toBe('manual')
    expect(told.at(-1)).toEqual(['pauseAt', start])
    told.length = 0
    await clock.advance('30s')
    await clock.advanceTo(start + 45_000)
    const { id } = await world.tasks.create({ family: 'a', kind: 'a' })
    const { now_ms: end } = await clock.advanceUntil({ task: id, status: 'succeeded' })
    expect(told).toEqual([
      ['fastForward', 30_000],
      ['fastForward', 15_000],
      ['fastForward', end - start - 45_000],
    ])
    await clock.advance(0)
    expect(told).toHaveLength(3)
    await world.drop()
  })
})
