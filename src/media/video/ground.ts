import { registerFonts } from '../drawing/font.ts'
import { boldFactor } from '../drawing/lettering.ts'
import { css, paletteOf } from '../drawing/palette.ts'
import { text } from '../drawing/svg-text.ts'
import type { VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { codedRows } from './coded-picture.ts'
import { shelfSvg, skySvg } from './lettered.ts'
import { copyRows, type Pixels, paste } from './pixels.ts'
import { markText, type Stage } from './stage.ts'

/** What a video shows behind its labels: a given picture, or a drawn scene with the references in its sky. */
export type Ground =
  | { kind: 'photo'; bytes: Buffer }
  | { kind: 'scene'; scene: SceneDrawing; references: readonly Buffer[] }

/** What shows through a transparent picture. */
const paper = '#f4f4f2'

/** The coded picture of a ground: shelves filled, labels waiting, time code empty. */
export async function drawGround(recipe: VideoRecipe, stage: Stage, ground: Ground): Promise<Pixels> {
  await registerFonts()
  const { default: sharp } = await import('sharp')
  const drawing =
    ground.kind === 'photo'
      ? await photo(stage, recipe, ground.bytes)
      : sharp(Buffer.from(await sceneSvg(recipe, stage, ground)))
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true })
  const pixels: Pixels = { width: info.width, height: info.height, channels: info.channels, bytes: data }
  await addMark(pixels, recipe, stage)
  return pixels
}

/** The picture fitted to the size, mirrored into the hidden columns, with the labels on the shelf. */
async function photo(stage: Stage, recipe: VideoRecipe, bytes: Buffer) {
  const { default: sharp } = await import('sharp')
  const { width, height, margin, columns, above } = stage.picture
  const left = margin * 16
  const sides = {
    left,
    right: columns * 16 - width - left,
    top: above * 16,
    bottom: (codedRows(stage.picture) - above) * 16 - height,
  }
  const shelf = svg(columns * 16, above * 16, shelfSvg(recipe, stage))
  return sharp(bytes)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: paper })
    .extend({ ...sides, extendWith: 'mirror' })
    .composite([{ input: Buffer.from(shelf), left: 0, top: 0 }])
    .removeAlpha()
}

async function sceneSvg(
  recipe: VideoRecipe,
  stage: Stage,
  ground: Ground & { kind: 'scene' },
): Promise<string> {
  const { picture, labels } = stage
  const [width, height, top] = [picture.columns * 16, codedRows(picture) * 16, picture.above * 16]
  const scene = ground.scene.svg.replace('<svg ', `<svg y="${top}" `)
  const inSky = labels ? '' : await skySvg(recipe, stage, ground)
  return svg(width, height, scene + inSky + shelfSvg(recipe, stage))
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
