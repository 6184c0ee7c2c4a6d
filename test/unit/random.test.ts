import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFor } from '../../src/emulator/worlds/random.ts'

const drawn = (seed: number, kind: string, ordinal: number, count = 20) => {
  const random = randomFor(seed, kind, ordinal)
  return Array.from({ length: count }, () => random.next())
}

describe('a stream', () => {
  it('is the same for the same seed, kind and ordinal', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.string(), fc.maxSafeNat(), (seed, kind, ordinal) => {
        expect(drawn(seed, kind, ordinal)).toEqual(drawn(seed, kind, ordinal))
      }),
    )
  })

  it('differs when any of the three differs, also above 32 bits', () => {
    const streams = [
      ...[0, 1, 2, 2 ** 32, 2 ** 32 + 1, 1e9, 2e9, 5e9, Number.MAX_SAFE_INTEGER].map(ordinal =>
        drawn(1, 'task', ordinal),
      ),
      ...[0, 2, 2 ** 40].map(seed => drawn(seed, 'task', 0)),
      ...['id', 'tas', 'task1', ''].map(kind => drawn(1, kind, 0)),
    ]
    expect(new Set(streams.map(String)).size).toBe(streams.length)
  })

  it('is independent of its neighbours: the first numbers of consecutive ordinals are evenly distributed', () => {
    const buckets = new Array<number>(10).fill(0)
    let rises = 0
    let last = 0
    for (let ordinal = 0; ordinal < 10_000; ordinal++) {
      const value = randomFor(1, 'task', ordinal).next()
      const bucket = Math.floor(value * 10)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
      if (value > last) rises++
      last = value
    }
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150)
    expect(Math.abs(rises - 5000)).toBeLessThan(250)
  })
})

describe('its numbers', () => {
  it('are within their bounds', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: -1000, max: 1000 }),
        fc.nat({ max: 1000 }),
        (seed, min, span) => {
          const random = randomFor(seed, 'test', 0)
          const value = random.integer(min, min + span)
          expect(Number.isInteger(value) && value >= min && value <= min + span).toBe(true)
          const fraction = random.next()
          expect(fraction >= 0 && fraction < 1).toBe(true)
          expect(['a', 'b', 'c']).toContain(random.pick(['a', 'b', 'c']))
        },
      ),
    )
  })

  it('reach both ends of a range and every entry of a list', () => {
    const random = randomFor(3, 'test', 0)
    expect(new Set(Array.from({ length: 200 }, () => random.integer(4, 8)))).toEqual(new Set([4, 5, 6, 7, 8]))
    expect(new Set(Array.from({ length: 200 }, () => random.pick(['x', 'y', 'z']))).size).toBe(3)
  })

  it('have the requested format', () => {
    const random = randomFor(4, 'test', 0)
    for (const length of [0, 1, 7, 8, 9, 35])
      expect(random.hex(length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`))
    expect(random.text('bcd', 12)).toMatch(/^[bcd]{12}$/)
    for (let i = 0; i < 50; i++)
      expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
