import { afterEach, expect, vi } from 'vitest'
import { test } from '../../src/testing/vitest.ts'

afterEach(() => void vi.useRealTimers())

test('world.clock.attach(vi): advancing the world’s clock fires the timers of the test and moves Date (docs/explore.md, "Time")', async ({
  world,
}) => {
  await world.clock.attach(vi)
  const { now_ms } = await world.clock.get()
  expect(Date.now()).toBe(now_ms)
  const fired: number[] = []
  setInterval(() => fired.push(Date.now() - now_ms), 60_000)
  await world.clock.advance('10m')
  expect(fired).toHaveLength(10)
  expect(Date.now()).toBe(now_ms + 600_000)
  expect((await world.clock.get()).mode).toBe('manual')
})
