import fc from 'fast-check'
import { expect, it } from 'vitest'
import { baseSize, readSize } from '../../src/emulator/families/images/sizes.ts'

const isAllowed =
  ([width, height]: readonly number[]) =>
  () =>
    readSize(`${width}x${height}`).kind === 'explicit'

/** Any picture that an input may be: sides above 14 px, at most 36 million pixels, an aspect ratio of 1/16 to 16. */
const sources = fc
  .tuple(fc.integer({ min: 15, max: 6000 }), fc.integer({ min: 1000, max: 16_000 }), fc.boolean())
  .map(([short, thousandths, isTall]) => {
    const long = Math.floor((short * thousandths) / 1000)
    return isTall ? ([short, long] as const) : ([long, short] as const)
  })
  .filter(([width, height]) => width * height <= 36_000_000)

it.each(['auto', '1K', '1.5K', '2K'])(
  'the base of a decomposition at %s is itself within the limits of explicit sizes (Spec, "Limits")',
  size => {
    fc.assert(
      fc.property(sources, ([width, height]) => {
        expect(isAllowed(baseSize(readSize(size), [width, height]))).not.toThrow()
      }),
      { numRuns: 2000, examples: [[[8464, 529]], [[529, 8464]], [[240, 15]], [[24000, 1500]]] },
    )
  },
)

it.each([
  [
    [6000, 6000],
    [2112, 2112],
  ],
  [
    [500, 500],
    [976, 976],
  ],
  [
    [1600, 900],
    [1600, 900],
  ],
] as const)('a source of %j has a base of %j at auto, a little inside the limits', (source, base) => {
  expect(baseSize(readSize('auto'), source)).toEqual(base)
})
