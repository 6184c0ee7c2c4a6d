import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawScene, sceneWords } from '../../src/media/scenes/scene.ts'

const sizes = [
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
  { width: 640, height: 640 },
  { width: 1470, height: 630 },
  { width: 3840, height: 2160 },
  { width: 320, height: 64 },
] as const

const order = { words: sceneWords('a lake', 7), seed: 7, width: 1280, height: 720, margin: 96 }

describe('a drawn scene', () => {
  it.each(sizes)('has bands on lines of 16 pixels, from 0 down, at $width x $height', size => {
    const { bands } = drawScene({ ...order, ...size })
    const tops = bands.map(({ top }) => top)
    expect(tops[0]).toBe(0)
    expect(tops.every(top => top % 16 === 0 && top < size.height)).toBe(true)
    expect([...tops].sort((a, b) => a - b)).toEqual(tops)
    expect(new Set(tops).size).toBe(tops.length)
    expect(bands.every(({ depth }) => depth >= 0 && depth <= 1)).toBe(true)
    expect(new Set(bands.map(({ depth }) => depth)).size).toBeGreaterThanOrEqual(3)
  })

  it('is wider than asked by the margin on both sides', async () => {
    const { width, height } = await sharp(Buffer.from(drawScene(order).svg)).metadata()
    expect({ width, height }).toEqual({ width: 1280 + 2 * 96, height: 720 })
  })

  it('is the same for the same order, and another for another seed', () => {
    expect(drawScene(order)).toEqual(drawScene({ ...order }))
    expect(drawScene({ ...order, seed: 8 }).svg).not.toBe(drawScene(order).svg)
  })
})
