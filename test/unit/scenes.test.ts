import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawScene, sceneWords, settings } from '../../src/media/scenes/scene.ts'
import type { ScenePlace } from '../../src/media/scenes/words/lexicon.ts'

const sizes = [
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
  { width: 640, height: 640 },
  { width: 1470, height: 630 },
  { width: 3840, height: 2160 },
  { width: 320, height: 64 },
] as const

const places = Object.keys(settings) as ScenePlace[]
const order = { words: sceneWords('a lake', 7), seed: 7, width: 1280, height: 720, margin: 96 }

/** The spread of the green values of a row, without the outermost twenty on both sides. */
async function spreadOf(svg: string, { width }: { width: number }): Promise<(row: number) => number> {
  const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true })
  return row => {
    const values = Array.from({ length: width }, (_, x) => data[(row * width + x) * info.channels + 1] ?? 0)
    values.sort((a, b) => a - b)
    return (values[width - 20] ?? 0) - (values[20] ?? 0)
  }
}

describe('a drawn scene', () => {
  it.each(places)('of %s has at least three bands that move differently, on lines of 16 pixels', place => {
    for (const size of sizes) {
      for (const subject of [undefined, { kind: 'horse' }, { kind: 'cat' }] as const) {
        const words = { place, time: 'noon', ...(subject && { subject }) } as const
        const { bands } = drawScene({ ...order, ...size, words })
        const tops = bands.map(({ top }) => top)
        expect(tops[0]).toBe(0)
        expect(tops.every((top, i) => top % 16 === 0 && top < size.height && top > (tops[i - 1] ?? -1))).toBe(
          true,
        )
        expect(bands.every(({ depth }) => depth >= 0 && depth <= 1)).toBe(true)
        expect(new Set(bands.map(({ depth }) => depth)).size).toBeGreaterThanOrEqual(3)
      }
    }
  })

  it.each(places)(
    'of %s is even along the edges of its bands, so that no gap shows when they move apart',
    async place => {
      const size = { width: 640, height: 384, margin: 0 }
      for (const subject of [undefined, { kind: 'horse' }] as const) {
        const words = { place, time: 'noon', ...(subject && { subject }) } as const
        const { svg, bands } = drawScene({ ...order, ...size, words })
        const spread = await spreadOf(svg, size)
        for (const { top } of bands.slice(1))
          expect(Math.min(spread(top - 1), spread(top)), `${place} at row ${top}`).toBeLessThan(40)
      }
    },
  )

  it('is wider than requested by the margin on both sides', async () => {
    const { width, height } = await sharp(Buffer.from(drawScene(order).svg)).metadata()
    expect({ width, height }).toEqual({ width: 1280 + 2 * 96, height: 720 })
  })

  it.each(places)(
    'of %s continues below in the colour of its lower edge, where the caption lies',
    async place => {
      const words = { place, time: 'noon' } as const
      const { svg } = drawScene({ ...order, words, margin: 0, height: 480, below: 160 })
      const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true })
      expect(info).toMatchObject({ width: 1280, height: 640 })
      const meanOf = (row: number) =>
        Array.from({ length: 3 }, (_, i) => {
          let sum = 0
          for (let x = 0; x < 1280; x++) sum += data[(row * 1280 + x) * info.channels + i] ?? 0
          return sum / 1280
        })
      const [edge, ground] = [meanOf(478), meanOf(560)]
      expect(Math.max(...edge.map((value, i) => Math.abs(value - (ground[i] ?? 0))))).toBeLessThan(40)
      expect(data[(639 * 1280 + 640) * info.channels + 3]).toBe(255)
    },
  )

  it('is the same whatever was drawn before it, and another for another seed', () => {
    const draw = (place: ScenePlace, seed = 7) =>
      drawScene({ ...order, seed, words: { place, time: 'noon' } }).svg
    const first = places.map(place => draw(place))
    expect([...places].reverse().map(place => draw(place))).toEqual([...first].reverse())
    expect(places.filter((place, i) => draw(place, 8) === first[i])).toEqual([])
  })

  it('leaves its upper corners dark enough for white type', async () => {
    for (const place of places) {
      const { svg } = drawScene({ ...order, words: { place, time: 'noon' }, margin: 0 })
      for (const left of [0, 1280 - 320]) {
        // Statistics are those of the input, so the corner is made a picture of its own.
        const cut = sharp(Buffer.from(svg)).extract({ left, top: 0, width: 320, height: 96 })
        const corner = await sharp(await cut.png().toBuffer()).stats()
        const [red, green, blue] = corner.channels.map(({ mean }) => mean)
        expect(0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0), place).toBeLessThan(165)
      }
    }
  })
})
