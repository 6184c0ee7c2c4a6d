import sharp, { type Sharp } from 'sharp'
import { expect, it } from 'vitest'
import { decompose } from '../../src/media/layers/decompose.ts'

const [width, height] = [480, 320]
const raw = { raw: { width, height, channels: 3 } } as const

/** A disc and a bottle before a wall with more light at the left. */
const wall = `<linearGradient id="wall"><stop stop-color="#d8cfc0"/><stop offset="1" stop-color="#9a8f80"/></linearGradient>
  <rect width="${width}" height="${height}" fill="url(#wall)"/>`
const things = `<circle cx="144" cy="160" r="66" fill="#b3342d"/><rect x="304" y="80" width="70" height="176" rx="12" fill="#27543a"/>`

/** The pixels in short pieces of thin rings around the disc and of lines along the bottle. */
const pieces = piecesOf()

function piecesOf(): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let at = 0; at < width * height; at++) {
    const piece = pieceAt(at % width, Math.floor(at / width))
    if (piece === undefined) continue
    const places = found.get(piece) ?? []
    places.push(at)
    found.set(piece, places)
  }
  return found
}

function pieceAt(x: number, y: number): string | undefined {
  const out = Math.hypot(x - 144, y - 160) - 66
  if (out > -3 && out < 12)
    return `disc ${Math.floor(out / 2)} ${Math.floor((Math.atan2(y - 160, x - 144) / Math.PI) * 4)}`
  const isBeside = y > 96 && y < 240
  const away = x < 339 ? 304 - x : x - 374
  return isBeside && away > -3 && away < 12
    ? `bottle ${Math.floor(away / 2)} ${x < 339} ${Math.floor(y / 36)}`
    : undefined
}

/** The same noise each time, for each channel of each pixel. */
const noise = noiseOf(width * height * 3)

/** Sums of uniform numbers are nearly normal. */
function noiseOf(length: number): Float64Array {
  let state = 1
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return Float64Array.from(
    { length },
    () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3),
  )
}

/** A difference that cannot be seen, in steps of 255. */
const faint = 3

/** What cameras and programs do to a picture. */
const damages: Record<string, { damage: (picture: Sharp) => Promise<Buffer>; noise?: number }> = {
  'a noisy picture': { damage: async picture => noisy(await picture.raw().toBuffer(), 6), noise: 6 },
  'a very noisy picture': { damage: async picture => noisy(await picture.raw().toBuffer(), 12), noise: 12 },
  'a blurred picture': { damage: picture => picture.blur(3).raw().toBuffer() },
  'a sharpened picture': {
    damage: async picture =>
      sharp(await picture.blur(1).raw().toBuffer(), raw)
        .sharpen({ sigma: 1.5 })
        .raw()
        .toBuffer(),
  },
  'a compressed picture': {
    damage: async picture =>
      sharp(await picture.jpeg({ quality: 65 }).toBuffer())
        .raw()
        .toBuffer(),
  },
  'a small picture that was enlarged': {
    damage: async picture =>
      sharp(await picture.resize(160, 107).png().toBuffer())
        .resize(width, height)
        .raw()
        .toBuffer(),
  },
}

const shadow = `<filter id="soft"><feGaussianBlur stdDeviation="2.5"/></filter>
  <g filter="url(#soft)" opacity=".35" transform="translate(4 4)">${things.replace(/fill="[^"]*"/g, '')}</g>`

it.each(Object.entries(damages))(
  '%s leaves no outline of its objects in the base, and is exact when its layers are put back (issue: a base filled without streaks; recomposing stays exact)',
  async (_, { damage, noise = 0 }) => {
    const picture = await damage(drawn(wall + things))
    const { base, layers } = await apart(picture)
    expect(layers).toHaveLength(2)
    // Mean colours of some forty noisy pixels differ by up to half of the noise.
    expect(outlineOf(base, await damage(drawn(wall)))).toBeLessThan(faint + noise / 2)
    expect((await together(base, layers)).equals(picture)).toBe(true)
  },
)

it('a shadow is removed with its object, as a translucent part of the layer (issue: a base filled without streaks)', async () => {
  const picture = await drawn(wall + shadow + things)
    .raw()
    .toBuffer()
  const { base, layers } = await apart(picture)
  expect(outlineOf(base, await drawn(wall).raw().toBuffer())).toBeLessThan(faint)
  const clear = await sharp(layers[0]?.png).extractChannel(3).raw().toBuffer()
  expect(clear.filter(alpha => alpha > 5 && alpha < 120).length).toBeGreaterThan(150)
  expect((await together(base, layers)).equals(picture)).toBe(true)
})

it('a noisy picture has the same noise where objects were, in the same bytes each time (issue: a base filled without streaks)', async () => {
  const picture = noisy(
    await drawn(wall + things)
      .raw()
      .toBuffer(),
    6,
  )
  const [one, other] = [await apart(picture), await apart(picture)]
  expect(one.base.equals(other.base)).toBe(true)
  const [filled, untouched] = [grainIn(one.base, 124, 140), grainIn(one.base, 210, 10)]
  expect(filled / untouched).toBeGreaterThan(0.75)
  expect(filled / untouched).toBeLessThan(1.25)
})

it('a horizon that is out of focus is no object (issue: as many layers as there are objects)', async () => {
  const hills = `<rect width="${width}" height="${height}" fill="#bcd8ee"/><path d="M0 224Q120 176 240 220T480 208V320H0Z" fill="#5c7f4a"/>`
  const picture = await drawn(`${hills}<circle cx="240" cy="96" r="48" fill="#d9482b"/>`)
    .blur(3)
    .raw()
    .toBuffer()
  expect((await apart(picture)).layers).toHaveLength(1)
})

it('a door that a soft edge divides from its house is a part of it (issue: as many layers as there are objects)', async () => {
  const house = `<rect width="${width}" height="${height}" fill="#bde1ec"/><rect y="220" width="${width}" height="100" fill="#8cc474"/>
    <path d="M120 120L240 40L360 120Z" fill="#c7503d"/><rect x="150" y="120" width="180" height="140" fill="#f3e2c7"/>
    <rect x="215" y="180" width="50" height="80" fill="#794c2f"/>`
  for (const blur of [0.8, 1.5, 2.5]) {
    const picture = noisy(await drawn(house).blur(blur).raw().toBuffer(), 3)
    expect((await apart(picture)).layers).toHaveLength(1)
  }
})

function drawn(content: string): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha()
}

async function apart(picture: Buffer) {
  const order = { width, height, format: 'png', mark: false } as const
  const { base, layers } = await decompose(() => sharp(picture, raw), order)
  return { base: await sharp(base).raw().toBuffer(), layers }
}

function together(base: Buffer, layers: Awaited<ReturnType<typeof apart>>['layers']): Promise<Buffer> {
  return sharp(base, raw)
    .composite(layers.map(({ png, box: [left, top] }) => ({ input: png, left, top })))
    .removeAlpha()
    .raw()
    .toBuffer()
}

function noisy(picture: Buffer, deviation: number): Buffer {
  const out = Buffer.alloc(picture.length)
  for (let i = 0; i < out.length; i++) {
    const value = Math.round((picture[i] as number) + (noise[i] as number) * deviation)
    out[i] = Math.max(0, Math.min(255, value))
  }
  return out
}

/** The largest difference of the mean colours in these pieces, in steps of 255. */
function outlineOf(base: Buffer, bare: Buffer): number {
  const means = [...pieces.values()].flatMap(places =>
    places.length < 40 ? [] : [0, 1, 2].map(channel => meanDifference(base, bare, { places, channel })),
  )
  return Math.max(...means)
}

function meanDifference(
  base: Buffer,
  bare: Buffer,
  { places, channel }: { places: readonly number[]; channel: number },
): number {
  let sum = 0
  for (const place of places) {
    const at = place * 3 + channel
    sum += (base[at] as number) - (bare[at] as number)
  }
  return Math.abs(sum / places.length)
}

/** The deviation of pixels from their neighbours in a square of forty pixels. */
function grainIn(picture: Buffer, left: number, top: number): number {
  let squares = 0
  for (let y = top; y < top + 40; y++)
    for (let x = left; x < left + 40; x++) {
      const at = (y * width + x) * 3
      const around =
        (picture[at - 3] as number) +
        (picture[at + 3] as number) +
        (picture[at - width * 3] as number) +
        (picture[at + width * 3] as number)
      squares += ((picture[at] as number) - around / 4) ** 2
    }
  return Math.sqrt(squares / 1600)
}
