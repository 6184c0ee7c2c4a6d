import { expect, it } from 'vitest'
import { Past } from '../../src/emulator/conductor/past.ts'

it('a file has the moment to which the run had come when it was changed, and a later one is later', () => {
  const past = new Past({ wallMs: 1000, ms: 50_000 })
  past.come({ wallMs: 1010, ms: 60_000 })
  past.come({ wallMs: 1020, ms: 90_000 })
  expect([999, 1000, 1005, 1010, 1019, 1020].map(wallMs => Math.floor(past.at(wallMs)))).toEqual([
    999, 50_000, 50_000, 60_000, 60_000, 90_000,
  ])
  expect(past.at(1012)).toBeLessThan(past.at(1013))
  expect(past.answer('when 1010.000')).toBe('was 1010.000 60000.000 1000\n')
})

it('a run of many steps keeps its begin and its newest steps, and forgets only how fine the others were', () => {
  const past = new Past({ wallMs: 0, ms: 0 })
  for (let step = 1; step <= 20_000; step++) past.come({ wallMs: step, ms: step * 1000 })
  expect([past.at(-1), past.at(20_000)]).toEqual([-1, 20_000_000])
  for (const wallMs of [10, 5000, 15_000])
    expect(Math.abs(past.at(wallMs) - wallMs * 1000)).toBeLessThan(300_000)
})
