// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { request } from 'node:http'
import FakeTimers from '@sinonjs/fake-timers'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { startEmulator, type FakeTimers as TestTimers } from '../../src/index.ts'

const emulator = await startEmulator({ clock: 'manual', log: 'silent' })
afterAll(() => emulator.close())

/** As in Sinon: what replaces the timers gives the clock that moves them. */
const sinon = {
  createSandbox() {},
  useFakeTimers: (config: object) => FakeTimers.install(config),
  useRealTimers: () => Reflect.get(Date, 'clock')?.uninstall(),
}
/** As in Jest: it is told what not to replace, and moves the timers itself. */
const jest = {
  useFakeTimers({ now, doNotFake = [] }: { now: number; doNotFake?: string[] }) {
    const all = Object.keys(FakeTimers.timers) as FakeTimers.FakeMethod[]
    FakeTimers.install({
      now,
      shouldClearNativeTimers: true,
      toFake: all.filter(name => !doNotFake.includes(name)),
    })
    return jest
  },
  advanceTimersByTimeAsync: (ms: number) => Reflect.get(Date, 'clock').tickAsync(ms),
  useRealTimers: sinon.useRealTimers,
}

describe('world.clock.attach', () => {
  it.each(Object.entries({ vi, jest, sinon }))(
    '(%s): advancing the world’s clock fires the timers of the test and moves Date (docs/explore.md, "Time")',
    async (_, timers) => {
      const world = await emulator.openWorld({ clock: '60x' })
      try {
        await world.clock.attach(timers as TestTimers)
        const { now_ms } = await world.clock.get()
        expect(Date.now()).toBe(now_ms)
        const fired: number[] = []
        setInterval(() => fired.push(Date.now() - now_ms), 60_000)
        await world.clock.advance('10m')
        expect(fired).toHaveLength(10)
        expect(Date.now()).toBe(now_ms + 600_000)
        expect((await world.clock.get()).mode).toBe('manual')
      } finally {
        timers.useRealTimers()
      }
    },
  )

  it.each([undefined, {}, { useFakeTimers() {} }])('refuses %j and says what it takes', async timers => {
    await expect(emulator.world.clock.attach(timers as never)).rejects.toThrow(
      'takes vi of Vitest, jest of Jest',
    )
  })
})

describe('fake timers in the process of an emulator', () => {
  afterEach(() => void vi.useRealTimers())
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const sent = request(emulator.url + path, reply =>
        reply.resume().on('end', () => resolve(reply.statusCode)),
      )
      sent.on('error', reject).end()
    })

  it('stop neither a late reply nor a realtime clock (docs/worlds-and-clock.md, "The clock")', async () => {
    const { world } = emulator
    await world.scenarios.use({
      name: 'late',
      rules: [{ when: { operation: 'a.get' }, then: { connection: { latency: '20ms' } } }],
    })
    vi.useFakeTimers({ now: 0 })
    expect(await statusOf('/api/v3/contents/generations/tasks/x')).toBe(401)
    const inWorld = { headers: { Authorization: `Bearer ${world.apiKey}` } }
    expect((await fetch(`${emulator.url}/api/v3/contents/generations/tasks/x`, inWorld)).status).toBe(404)
    const opened = await emulator.openWorld({ clock: 'realtime' })
    expect((await opened.clock.get()).now_ms).toBeGreaterThan(1_700_000_000_000)
  })

  it('that replace what requests need are named, and what to do instead', async () => {
    const lines: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0)
    try {
      vi.useFakeTimers({ toFake: ['queueMicrotask'] })
      await expect(emulator.world.clock.get()).rejects.toMatchObject({
        code: 'fake_timers',
        message: expect.stringMatching(
          /replace queueMicrotask .* no fetch can end .*world\.clock\.attach\(vi\)/,
        ),
      })
      await expect.poll(() => lines.join('')).toMatch(/replace queueMicrotask .*world\.clock\.attach\(vi\)/)
    } finally {
      write.mockRestore()
    }
  })
})
