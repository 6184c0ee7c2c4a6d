import { describe, expect, it } from 'vitest'
import { captionBlock, registerFonts } from '../../src/media/drawing/svg.ts'
import { drawEdit } from '../../src/media/images/edit.ts'
import { openInput } from '../../src/media/images/input-picture.ts'
import type { ImageRecipe } from '../../src/media/render/recipe.ts'
import { pictureRecipe } from '../support/pool-jobs.ts'
import { svgPicture } from '../support/svg-picture.ts'
import type { Area } from '../support/video-files.ts'

const subjects: Record<string, Area> = {
  'at the lower left': { left: 0.02, top: 0.6, right: 0.5, bottom: 0.98 },
  'at the lower right': { left: 0.55, top: 0.55, right: 0.99, bottom: 0.99 },
  'along the foot': { left: 0.05, top: 0.7, right: 0.95, bottom: 0.96 },
  'at the upper left': { left: 0.03, top: 0.03, right: 0.5, bottom: 0.4 },
  'along the top': { left: 0.1, top: 0.05, right: 0.9, bottom: 0.35 },
  'in the left half': { left: 0.04, top: 0.04, right: 0.45, bottom: 0.96 },
  'from the top to the foot': { left: 0.52, top: 0.02, right: 0.98, bottom: 0.98 },
}

const shapes = [
  [684, 384],
  [512, 512],
  [384, 684],
] as const

await registerFonts()

const short = 'as it is'
const long =
  'please keep everything as it is, but show it as it would be seen by somebody who is far away from it'

describe('the text about an edit is beside the subject of the picture', () => {
  it.each(Object.entries(subjects))('a subject %s', async (_, subject) => {
    for (const [width, height] of shapes)
      for (const draw of [oneColour, manyColours]) {
        const recipe = recipeOf(width, height)
        const changes = await signsOf(recipe, await drawn(recipe, draw(recipe, subject)))
        const picture = `${draw.name}, ${width} x ${height}`
        expect(changes(inPixels(subject, recipe)), picture).toBe(0)
        expect(changes({ left: 0, top: 0, right: width, bottom: height })).toBeGreaterThan(500)
      }
  })

  it('the text does not cover places that the prompt points at, and not the AI mark', async () => {
    const [width, height] = [512, 512]
    const places = [
      { input: 0, left: 0, top: 0, right: 300, bottom: 200 },
      { input: 0, left: 100, top: 900, right: 100, bottom: 900 },
    ]
    const recipe = recipeOf(width, height, { places, mark: true })
    const changes = await signsOf(recipe, await drawn(recipe, ''))
    expect(changes({ left: 0, top: 0, right: 155, bottom: 104 })).toBe(0)
    expect(changes({ left: 46, top: 456, right: 57, bottom: 467 })).toBe(0)
    expect(changes({ left: 410, top: 465, right: 490, bottom: 490 })).toBe(0)
  })

  it('the text covers less than an eighth of the picture', async () => {
    for (const [width, height] of shapes) {
      const recipe = recipeOf(width, height)
      const changes = await signsOf(recipe, await drawn(recipe, ''))
      expect(changes({ left: 0, top: 0, right: width, bottom: height })).toBeLessThan((width * height) / 8)
    }
  })
})

describe('a caption from right to left', () => {
  it.each(['قطة تنام على الأريكة', 'חתול ישן על הספה'])('"%s" ends at the edges of its block', prompt => {
    const room = { left: 40, top: 0, width: 900, height: 200, unit: 10, largest: 2.7, maxLines: 2 }
    const block = captionBlock({ prompt, caption: { title: 'task', facts: ['a fact'] } }, room, '#fff')
    const [, start] = block.svg.match(/x="([\d.]+)" text-anchor="start" direction="rtl"/) ?? []
    expect(Number(start)).toBe(room.left + block.width)
    expect(block.width).toBeLessThan(room.width)
  })
})

function recipeOf(width: number, height: number, more: Partial<ImageRecipe> = {}): ImageRecipe {
  const inputs = [{ picture: 'given', widthPx: width, heightPx: height, format: 'png' }]
  return pictureRecipe({ width, height, mark: false, seed: 3, prompt: short, inputs, ...more })
}

/** Counts the pixels of an area that change with the words of an edit's prompt. */
async function signsOf(recipe: ImageRecipe, given: Buffer): Promise<(area: Area) => number> {
  const [one, other] = [
    await edited({ ...recipe, prompt: short }, given),
    await edited({ ...recipe, prompt: long }, given),
  ]
  const differs = new Uint8Array(recipe.width * recipe.height)
  for (let pixel = 0, at = 0; pixel < differs.length; pixel++, at += 3)
    if (one[at] !== other[at] || one[at + 1] !== other[at + 1] || one[at + 2] !== other[at + 2])
      differs[pixel] = 1
  return ({ left, top, right, bottom }) => {
    let count = 0
    for (let y = Math.ceil(top); y < bottom; y++)
      for (let x = Math.ceil(left); x < right; x++) count += differs[y * recipe.width + x] ?? 0
    return count
  }
}

/** The pixels of an edit, without a file of them, whose compression would take most of the time. */
async function edited(recipe: ImageRecipe, given: Buffer): Promise<Buffer> {
  const input = recipe.inputs[0]
  if (!input) throw new Error('an edit has an input')
  const picture = await drawEdit(recipe, await openInput(input, { kept: async () => given }))
  return picture.flatten({ background: '#ffffff' }).removeAlpha().raw().toBuffer()
}

function inPixels({ left, top, right, bottom }: Area, { width, height }: ImageRecipe): Area {
  return { left: left * width, top: top * height, right: right * width, bottom: bottom * height }
}

function drawn(size: ImageRecipe, content: string): Promise<Buffer> {
  const ground = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#cfe3f2"/><stop offset="1" stop-color="#8fb08a"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#sky)"/>`
  return svgPicture(ground + content, size)
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function oneColour(recipe: ImageRecipe, area: Area): string {
  const { left, top, right, bottom } = inPixels(area, recipe)
  return `<ellipse cx="${(left + right) / 2}" cy="${(top + bottom) / 2}" rx="${(right - left) / 2}" ry="${(bottom - top) / 2}" fill="#b5413a"/>`
}

function manyColours(recipe: ImageRecipe, area: Area): string {
  const { left, top, right, bottom } = inPixels(area, recipe)
  return Array.from({ length: 12 }, (_, i) => {
    const x = left + ((right - left) * i) / 12
    return `<rect x="${x}" y="${top}" width="${(right - left) / 20}" height="${bottom - top}" fill="hsl(${i * 30},60%,40%)"/>`
  }).join('')
}
