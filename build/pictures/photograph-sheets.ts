/**
 * Draws contact sheets of the photographs in test/data: each with its base and its first layers, and edits that remove things.
 * Run with: node --import tsx build/pictures/photograph-sheets.ts FOLDER
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { decompose } from '../../src/media/layers/decompose.ts'
import type { PointedPlace } from '../../src/media/render/recipe.ts'
import { renderImage } from '../../src/media/render/render-recipe.ts'

const folder = process.argv[2] ?? '.'
const tile = { width: 300, height: 220 }
const columns = 8

const box = (left: number, top: number, right: number, bottom: number): PointedPlace[] => [
  { input: 0, left, top, right, bottom },
]
const point = (x: number, y: number) => box(x, y, x, y)

const removals: readonly (readonly [name: string, prompt: string, places: PointedPlace[]])[] = [
  ['cup', 'remove the cup', []],
  ['cup', 'remove the spoon', box(530, 560, 700, 860)],
  ['cup', 'remove this', point(490, 400)],
  ['rocket', 'remove the rocket, make it night', []],
  ['rocket', 'remove this', box(480, 230, 530, 960)],
  ['coins', 'remove both', [...point(110, 170), ...point(900, 130)]],
  ['photographer', 'remove this', box(430, 220, 930, 990)],
  ['astronaut', 'remove the rocket', box(690, 20, 900, 550)],
]

const rows: Buffer[][] = []
for (const name of ['astronaut', 'cat', 'coins', 'cup', 'photographer', 'rocket']) {
  const { bytes, size } = await photograph(name)
  const { base, layers } = await decompose(() => sharp(bytes), { ...size, format: 'png', mark: false })
  const alone = layers.slice(0, columns - 2).map(({ png, box: [left, top] }) =>
    sharp({ create: { ...size, channels: 3, background: '#d000ff' } })
      .composite([{ input: png, left, top }])
      .png()
      .toBuffer(),
  )
  rows.push([bytes, base, ...(await Promise.all(alone))])
}
await save('photographs-apart', rows)
await save('photographs-removals', [await Promise.all(removals.map(removed))])

async function removed([name, prompt, places]: (typeof removals)[number]): Promise<Buffer> {
  const { bytes, size } = await photograph(name)
  const input = { picture: name, widthPx: size.width, heightPx: size.height, format: 'jpeg' }
  const drawn = { kind: 'image', format: 'png', transparent: false, mark: false, seed: 3 } as const
  return await renderImage(
    { ...drawn, ...size, prompt, places, inputs: [input] },
    { kept: async () => bytes },
  )
}

async function photograph(name: string) {
  const bytes = readFileSync(new URL(`../../test/data/photographs/${name}.jpg`, import.meta.url))
  const { width, height } = await sharp(bytes).metadata()
  return { bytes, size: { width, height } }
}

async function save(name: string, drawn: readonly Buffer[][]): Promise<void> {
  const fit = { ...tile, fit: 'contain', background: '#ffffff' } as const
  const parts = drawn.flatMap((row, down) =>
    row.map(async (picture, across) => ({
      input: await sharp(picture).resize(fit).png().toBuffer(),
      left: across * tile.width,
      top: down * tile.height,
    })),
  )
  const size = { width: columns * tile.width, height: drawn.length * tile.height }
  const sheet = sharp({ create: { ...size, channels: 3, background: '#888888' } })
  await sheet.composite(await Promise.all(parts)).toFile(join(folder, `${name}.png`))
}
