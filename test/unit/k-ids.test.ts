import { expect, it } from 'vitest'
import { snowflake } from '../../src/emulator/families/k-image-to-video/rules.ts'
import { randomFor } from '../../src/emulator/worlds/random.ts'

it.each([
  ['2026-03-01T00:00:00Z', 18],
  ['2027-06-01T00:00:00Z', 19],
  ['1999-01-01T00:00:00Z', 19],
])('makes ids of digits only at %s: %i of them (K-ids)', (at, digits) => {
  expect(snowflake(randomFor(1, 'x', 0), Date.parse(at))).toMatch(new RegExp(`^\\d{${digits}}$`))
})
