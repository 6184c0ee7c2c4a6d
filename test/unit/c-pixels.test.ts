import { describe, expect, it } from 'vitest'
import {
  enlarged,
  framesFor,
  isBaseFrames,
  listedRatio,
  pixels,
  ratios,
} from '../../src/emulator/families/c-generation/variants.ts'
import { aspectOf } from '../../src/emulator/families/geometry.ts'

describe('768P results can serve as base videos (C-base-video)', () => {
  it.each(ratios)('in pixels: %s has sides divisible by 32 and at most 1344 times 768 of them', ratio => {
    const [width, height] = pixels['768P'][ratio]
    expect([width % 32, height % 32]).toEqual([0, 0])
    expect(width * height).toBeLessThanOrEqual(1344 * 768)
  })

  it('in frames: every length from 4 to 15 s has a number of frames that rounds back to it (C-frames)', () => {
    for (let seconds = 4; seconds <= 15; seconds++) {
      const frames = framesFor('768P', seconds)
      expect(isBaseFrames(frames), `${frames}`).toBe(true)
      expect(Math.round(frames / 24)).toBe(seconds)
    }
  })
})

describe('sizes (C-pixels)', () => {
  it.each(ratios)('of %s are within 2.5 % of the ratio, and 2K has about 3.7 million pixels', ratio => {
    for (const [width, height] of [pixels['768P'][ratio], pixels['2K'][ratio]])
      expect(Math.abs(width / height / aspectOf(ratio) - 1)).toBeLessThan(0.025)
    const [width, height] = pixels['2K'][ratio]
    expect(Math.abs((width * height) / (2560 * 1440) - 1)).toBeLessThan(0.02)
    expect([width % 2, height % 2]).toEqual([0, 0])
  })

  it.each(ratios)('of %s have the same ratio at 768P and at 2K', ratio => {
    const [width, height] = pixels['768P'][ratio]
    expect(enlarged(width / height)).toEqual(pixels['2K'][ratio])
    expect(listedRatio(width / height)).toBe(ratio)
  })

  it('of a base video that is far from every listed ratio have its shape', () => {
    const [width, height] = enlarged(1.2)
    expect(width / height).toBeCloseTo(1.2, 2)
  })
})
