import type { Sharp } from 'sharp'
import { registerFonts } from '../drawing/font.ts'
import { boldFactor } from '../drawing/lettering.ts'
import { css, paletteOf } from '../drawing/palette.ts'
import { text } from '../drawing/svg-text.ts'
import type { VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { codedRows } from './coded-picture.ts'
import { inkOf, shelfSvg, skySvg } from './lettered.ts'
import { average, copyRows, type Pixels, paste } from './pixels.ts'
import { markText, type Stage } from './stage.ts'
import type { Rgb } from './yuv.ts'

/** What a video shows behind its labels: a given picture, or a drawn scene with the references in its sky. */
export type Ground =
  | { kind: 'photo'; bytes: Buffer; references: readonly Buffer[] }
  | { kind: 'scene'; scene: SceneDrawing; references: readonly Buffer[] }

/** What shows through a transparent picture. */
const paper = '#f4f4f2'

/** The coded picture of a ground: shelves filled, labels waiting, time code empty. */
export async function drawGround(recipe: VideoRecipe, stage: Stage, ground: Ground): Promise<Pixels> {
  await registerFonts()
  const pixels = await rawPixels(
    ground.kind === 'photo' ? await photo(stage, ground.bytes) : await scene(recipe, stage, ground),
  )
  if (ground.kind === 'photo') await addShelf(pixels, stage, { ...recipe, references: ground.references })
  const { labels } = stage
  if (labels) copyRows(pixels, { from: labels.top * 16, to: labels.shelf * 16, count: labels.rows * 16 })
  await addMark(pixels, recipe, stage)
  return pixels
}

async function rawPixels(drawing: Sharp): Promise<Pixels> {
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, bytes: data }
}

/** The picture fitted to the size and mirrored into what is hidden. */
async function photo({ picture }: Stage, bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const { width, height, columns } = picture
  const sides = { right: columns * 16 - width, bottom: codedRows(picture) * 16 - height }
  return sharp(bytes)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: paper })
    .extend({ ...sides, extendWith: 'mirror' })
    .removeAlpha()
}

/** Labels over a photograph have its colours, darkened. */
async function addShelf(
  pixels: Pixels,
  stage: Stage,
  recipe: Omit<VideoRecipe, 'references'> & { references: readonly Buffer[] },
): Promise<void> {
  const { default: sharp } = await import('sharp')
  const { columns, rows } = stage.picture
  const [width, height] = [columns * 16, stage.shelfRows * 16]
  const ground = darkened(average(pixels, { top: 0, rows: rows * 8 }))
  const shelf = await shelfSvg(stage, recipe, { ...inkOf(recipe), ground })
  const drawn = svg(width, height, `<g transform="translate(0 ${-rows * 16})">${shelf}</g>`)
  const { data, info } = await sharp(Buffer.from(drawn)).raw().toBuffer({ resolveWithObject: true })
  paste({ width, height, channels: info.channels, bytes: data }, pixels, { left: 0, top: rows * 16 })
}

/** Dark enough for white type, whatever the colour. */
function darkened([red, green, blue]: Rgb): string {
  const part = 34 / Math.max(34, red * 0.21 + green * 0.72 + blue * 0.07)
  return css([Math.round(red * part), Math.round(green * part), Math.round(blue * part)])
}

async function scene(recipe: VideoRecipe, stage: Stage, ground: Ground & { kind: 'scene' }): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const { picture, labels } = stage
  const [width, height] = [picture.columns * 16, codedRows(picture) * 16]
  const drawn = ground.scene.svg.replace('<svg ', `<svg x="${-picture.margin * 16}" `)
  const inSky = labels ? '' : await skySvg(recipe, stage, ground)
  const shelf = await shelfSvg(stage, { ...recipe, references: ground.references }, inkOf(recipe))
  return sharp(Buffer.from(svg(width, height, drawn + inSky + shelf)))
}

/** The mark is put onto the picture, and what was under it onto the shelf below. */
async function addMark(pixels: Pixels, { seed }: VideoRecipe, { mark, layout }: Stage): Promise<void> {
  if (!mark) return
  const { default: sharp } = await import('sharp')
  const size = layout.unit * 1.95
  const [width, height] = [mark.columns * 16, mark.rows * 16]
  const label = text(markText, {
    x: width / 2,
    y: height / 2 + size * 0.36,
    size: Math.min(size, width / 7.2 / boldFactor),
    bold: true,
    anchor: 'middle',
    fill: css(paletteOf(seed).accent),
  })
  const drawn = svg(width, height, `<rect width="${width}" height="${height}" fill="#14161c"/>${label}`)
  const bytes = await sharp(Buffer.from(drawn)).toColourspace('srgb').raw().toBuffer()
  copyRows(pixels, { from: mark.top * 16, to: mark.shelf * 16, count: height })
  paste({ width, height, channels: 4, bytes }, pixels, { left: mark.left * 16, top: mark.top * 16 })
}

function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
}
