import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aspectOf, nearestRatio, simpleRatio, sizeOfArea } from '../../src/emulator/families/geometry.ts'

it.each([
  ['16:9', 16 / 9],
  ['1:1', 1],
  ['9:16', 0.5625],
  ['21:9', 21 / 9],
])('%s is %d wide for 1 high', (ratio, aspect) => {
  expect(aspectOf(ratio)).toBeCloseTo(aspect)
})

it.each([
  [1.25, '5:4'],
  [0.978, '31:32'],
  [1.4, '7:5'],
  [1, '1:1'],
  [16 / 9, '16:9'],
  [9 / 16, '9:16'],
  [2.5, '5:2'],
  [0.4, '2:5'],
])('simpleRatio(%d) is %s', (aspect, ratio) => {
  expect(simpleRatio(aspect)).toBe(ratio)
})

it('a simple ratio is within 1.1 % of its aspect', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.4, max: 2.5, noNaN: true }), aspect => {
      expect(Math.abs(aspectOf(simpleRatio(aspect)) / aspect - 1)).toBeLessThan(0.011)
    }),
  )
})

it('a size has even sides, nearly the area and nearly the shape, and is never more elongated, so that the file is accepted as an input', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200_000, max: 9_000_000 }),
      fc.double({ min: 0.4, max: 2.5, noNaN: true }),
      (area, aspect) => {
        const [width, height] = sizeOfArea(area, aspect)
        expect([width % 2, height % 2]).toEqual([0, 0])
        expect(Math.abs((width * height) / area - 1)).toBeLessThan(0.01)
        expect(Math.abs(width / height / aspect - 1)).toBeLessThan(0.01)
        expect(Math.abs(Math.log(width / height))).toBeLessThanOrEqual(Math.abs(Math.log(aspect)) + 1e-9)
      },
    ),
  )
})

it.each([
  [16 / 9, '16:9'],
  [1.5, '4:3'],
  [1.6, '16:9'],
  [0.5, '9:16'],
  [3, '21:9'],
])('the listed ratio nearest to %d is %s', (aspect, ratio) => {
  const found = nearestRatio(aspect, ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'])
  expect(found.ratio).toBe(ratio)
  expect(found.offBy).toBeCloseTo(Math.abs(Math.log(aspect / aspectOf(ratio))))
})
