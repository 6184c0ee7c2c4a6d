import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BitReader, BitWriter, escapeNal, splitNals, unescapeNal } from '../../src/media/video/bits.ts'

it('reads every number that was written as an Exp-Golomb code', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100_000, max: 100_000 })), values => {
      const writer = new BitWriter()
      for (const value of values) writer.ue(Math.abs(value)).se(value)
      const reader = new BitReader(writer.trailing().toBytes())
      for (const value of values) expect([reader.ue(), reader.se()]).toEqual([Math.abs(value), value || 0])
    }),
  )
})

it('keeps start codes out of a NAL unit and gives the payload back (H.264, 7.4.1)', () => {
  const fewValues = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 255))
  fc.assert(
    fc.property(fewValues, values => {
      const payload = Uint8Array.from(values)
      const nal = escapeNal(payload)
      expect(Buffer.from(nal).includes(Buffer.from([0, 0, 1]))).toBe(false)
      expect([...unescapeNal(nal)]).toEqual(values)
    }),
  )
})

it('copies a rest of bits behind a header of any length', () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.nat(23),
      fc.uint8Array({ minLength: 4, maxLength: 40 }),
      (length, skip, noise) => {
        const tail = Uint8Array.from([...noise, 0x80])
        const moved = new BitWriter().bits(0, length).followedBy(tail, skip)
        const bits = (bytes: Uint8Array): string =>
          [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
        const expected = '0'.repeat(length) + bits(tail).slice(skip)
        expect(bits(moved).replace(/0+$/, '')).toBe(expected.replace(/0+$/, ''))
      },
    ),
  )
})

it('splits a byte stream at start codes of three and four bytes', () => {
  const stream = Uint8Array.from([0, 0, 0, 1, 0x67, 9, 0, 0, 1, 0x68, 8, 0, 0, 0, 1, 0x65, 7])
  expect(splitNals(stream).map(nal => [...nal])).toEqual([
    [0x67, 9],
    [0x68, 8],
    [0x65, 7],
  ])
})
