import { expect, it } from 'vitest'
import { freeTaskId, snowflake } from '../../src/families/k-image-to-video/ids.ts'
import { randomFor } from '../../src/worlds/random.ts'

const now = Date.parse('2026-03-01T08:00:00.000Z')

it('draws again when an id is taken, since many tasks share one millisecond on a manual clock (K-ids)', () => {
  const draw = () => randomFor(1, 'id.k', 0)
  const taken = snowflake(draw(), now)
  expect(freeTaskId(new Map(), draw(), now)).toBe(taken)
  const free = freeTaskId(new Map([[taken, {}]]), draw(), now)
  expect(free).not.toBe(taken)
  expect(BigInt(free) >> 22n).toBe(BigInt(taken) >> 22n)
})

it.each([
  ['2026-03-01T00:00:00Z', 18],
  ['2027-06-01T00:00:00Z', 19],
  ['1999-01-01T00:00:00Z', 19],
])('makes ids of digits only at %s: %i of them (K-ids)', (at, digits) => {
  expect(snowflake(randomFor(1, 'x', 0), Date.parse(at))).toMatch(new RegExp(`^\\d{${digits}}$`))
})
