import { expect, it } from 'vitest'
import { stampedId } from '../../src/emulator/worlds/clock.ts'
import { randomFor } from '../../src/emulator/worlds/random.ts'

it('an id contains its kind and its second in UTC+8, and ends in drawn characters (A-times)', () => {
  const idAt = (moment: string, ordinal = 1) =>
    stampedId('cgt', randomFor(1, 'task', ordinal), Date.parse(moment))
  expect(idAt('2026-02-28T15:59:59.999Z')).toMatch(/^cgt-20260228235959-[b-z2-9]{5}$/)
  expect(idAt('2026-02-28T16:00:00.000Z')).toMatch(/^cgt-20260301000000-[b-z2-9]{5}$/)
  // Back again: the remembered ids of another second are not used for this one.
  expect(idAt('2026-02-28T15:59:59.000Z')).toBe(idAt('2026-02-28T15:59:59.999Z'))
  expect(idAt('2026-02-28T16:00:00.000Z', 2)).not.toBe(idAt('2026-02-28T16:00:00.000Z', 1))
})
