import { readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { expect, it } from 'vitest'
import { decompose } from '../../src/media/layers/decompose.ts'
import { filledIn } from '../../src/media/layers/fill-in.ts'
import { svgPicture } from '../support/svg-picture.ts'

const [width, height] = [480, 320]
const raw = { raw: { width, height, channels: 3 } } as const

/** A disc and a bottle before a wall with more light at the left. */
const wall = `<linearGradient id="wall"><stop stop-color="#d8cfc0"/><stop offset="1" stop-color="#9a8f80"/></linearGradient>
  <rect width="${width}" height="${height}" fill="url(#wall)"/>`
const things = `<circle cx="144" cy="160" r="66" fill="#b3342d"/><rect x="304" y="80" width="70" height="176" rx="12" fill="#27543a"/>`

/** The pixels in short pieces of thin rings around the disc and of lines along the bottle. */
const pieces = new Map<string, number[]>()
for (let at = 0; at < width * height; at++) {
  const piece = pieceAt(at % width, Math.floor(at / width))
  if (piece !== undefined) pieces.set(piece, [...(pieces.get(piece) ?? []), at])
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

it.each(Object.entries(damages))(
  '%s leaves no outline of its objects in the base, and is exact when its layers are put back',
  async (_, { damage, noise = 0 }) => {
    const picture = await damage(drawn(wall + things))
    const { base, layers } = await apart(picture)
    expect(layers).toHaveLength(2)
    // Mean colours of some forty noisy pixels differ by up to half of the noise.
    expect(outlineOf(base, await damage(drawn(wall)))).toBeLessThan(faint + noise / 2)
    expect((await together(sharp(base, raw), layers)).equals(picture)).toBe(true)
  },
)

it('a door that a soft edge divides from its house is a part of it', async () => {
  const house = `<rect width="${width}" height="${height}" fill="#bde1ec"/><rect y="220" width="${width}" height="100" fill="#8cc474"/>
    <path d="M120 120L240 40L360 120Z" fill="#c7503d"/><rect x="150" y="120" width="180" height="140" fill="#f3e2c7"/>
    <rect x="215" y="180" width="50" height="80" fill="#794c2f"/>`
  for (const blur of [0.8, 1.5, 2.5]) {
    const picture = noisy(await drawn(house).blur(blur).raw().toBuffer(), 3)
    expect((await apart(picture)).layers).toHaveLength(1)
  }
})

it('what is filled in behind the things of a photograph has no bands', async () => {
  const bytes = readFileSync(new URL('../data/photographs/cup.jpg', import.meta.url))
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  const { base } = await decompose(() => sharp(bytes), { width, height, format: 'png', mark: false })
  // Behind the cup.
  const part = { left: Math.round(width * 0.45), top: Math.round(height * 0.35), width: 100, height: 100 }
  const { data, info } = await sharp(base).extract(part).raw().toBuffer({ resolveWithObject: true })
  const rows = Array.from({ length: 100 }, (_, y) => {
    const greens = Array.from({ length: 100 }, (_, x) => data[(y * 100 + x) * info.channels + 1] as number)
    return greens.reduce((sum, each) => sum + each, 0) / 100
  })
  const steps = rows.slice(1).map((mean, i) => Math.abs(mean - (rows[i] as number)))
  expect(Math.max(...steps)).toBeLessThan(1)
})

it.each([
  ['astronaut', 12],
  ['cat', 10],
  ['coins', 16],
  ['cup', 12],
  ['photographer', 6],
  ['rocket', 3],
])('the photograph "%s" is taken apart, and exact when its layers are put back', async (name, least) => {
  const photograph = sharp(readFileSync(new URL(`../data/photographs/${name}.jpg`, import.meta.url)))
  const { data, info } = await photograph
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const shape = { width: info.width, height: info.height, channels: 3 } as const
  const order = { ...shape, format: 'png', mark: false } as const
  const { base, layers } = await decompose(() => sharp(data, { raw: shape }), order)
  expect(layers.length).toBeGreaterThanOrEqual(least)
  expect((await together(sharp(base), layers)).equals(data)).toBe(true)
})

const drawn = (content: string) => svgPicture(content, { width, height }).removeAlpha()

async function apart(picture: Buffer) {
  const order = { width, height, format: 'png', mark: false } as const
  const { base, layers } = await decompose(() => sharp(picture, raw), order)
  return { base: await sharp(base).raw().toBuffer(), layers }
}

function together(base: Sharp, layers: Awaited<ReturnType<typeof apart>>['layers']): Promise<Buffer> {
  const overlays = layers.map(({ png, box: [left, top] }) => ({ input: png, left, top }))
  return base.composite(overlays).removeAlpha().raw().toBuffer()
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

it('has no hard blocks behind a large thing where dark and light edges meet', () => {
  const side = 240
  const away = (at: number) => Math.hypot((at % side) - 120, Math.floor(at / side) - 120)
  const isDark = (x: number, y: number) => (x < 60 && y < 110) || (x > 150 && y > 200)
  const pixels = Array.from({ length: side * side }, (_, at) => {
    const value = (isDark(at % side, Math.floor(at / side)) ? 60 : 190) + Math.round((noise[at] ?? 0) * 2)
    return [value, value, value, 255]
  })
  const picture = { width: side, height: side, channels: 4, bytes: Uint8Array.from(pixels.flat()) } as const
  const missing = Uint8Array.from(pixels, (_, at) => (away(at) < 95 ? 1 : 0))
  const base = filledIn(picture, missing, 1)
  const step = (at: number, by: number) =>
    Math.abs((base.bytes[at * 4] ?? 0) - (base.bytes[(at - by) * 4] ?? 0))
  const steps = pixels.map((_, at) => (away(at) < 85 ? Math.max(step(at, 1), step(at, side)) : 0))
  expect(Math.max(...steps)).toBeLessThan(8)
})
