import type { Sharp } from 'sharp'
import { registerFonts } from '../drawing/font.ts'
import { boldFactor } from '../drawing/lettering.ts'
import { css, paletteOf, paper } from '../drawing/palette.ts'
import { svg } from '../drawing/svg.ts'
import { text } from '../drawing/svg-text.ts'
import type { VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { codedRows } from './coded-picture.ts'
import { inkOf, labelSize, labelSvg, skySvg } from './lettered.ts'
import { levelStoreRows, levelStoreSvg } from './level-bar.ts'
import { average, copyRows, cut, type Pixels, paste } from './pixels.ts'
import { markText, type Stage } from './stage.ts'
import { signsOf } from './stage-field.ts'
import { type Ink, storeSize, storeSvg } from './time-code.ts'
import type { Rgb } from './yuv.ts'

/** The picture behind the labels of a video: a given one, or a drawn scene with the references in its sky. */
export type Ground =
  | { kind: 'photo'; bytes: Buffer; references: readonly Buffer[] }
  | { kind: 'scene'; scene: SceneDrawing; references: readonly Buffer[] }

/** The coded picture of a ground, with the store of signs, and its labels without a time code. */
export interface DrawnGround<Picture> {
  picture: Picture
  labels?: Picture
}

/** Draws a ground and its labels. `begun` is called when other threads have begun to draw the picture. */
export async function drawGround(
  recipe: VideoRecipe,
  stage: Stage,
  { ground, begun }: { ground: Ground; begun?: () => void },
): Promise<DrawnGround<Pixels>> {
  await registerFonts()
  const [picture, mark] = await Promise.all([
    openGround(recipe, stage, ground).then(drawing => {
      const pixels = rawPixels(drawing)
      begun?.()
      return pixels
    }),
    drawMark(recipe, stage),
  ])
  const ink = ground.kind === 'photo' ? inkOver(picture, recipe, stage) : inkOf(recipe)
  if (ground.kind === 'photo') await addStore(picture, stage, ink)
  addMark(picture, mark, stage)
  if (!stage.labels) {
    addTimeCode(picture, stage)
    return { picture }
  }
  const drawing = await labelSvg(stage, stage.labels, { ...recipe, references: ground.references, ink })
  return { picture, labels: await draw(labelSize(stage.labels), drawing) }
}

function openGround(recipe: VideoRecipe, stage: Stage, ground: Ground): Promise<Sharp> {
  return ground.kind === 'photo' ? photo(stage, ground.bytes) : scene(recipe, stage, ground)
}

async function draw(size: { width: number; height: number }, content: string): Promise<Pixels> {
  const { default: sharp } = await import('sharp')
  return await rawPixels(sharp(Buffer.from(svg(size, content))).toColourspace('srgb'))
}

async function rawPixels(drawing: Sharp): Promise<Pixels> {
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, bytes: data }
}

/** The picture fitted to the size, and mirrored into the hidden columns and rows. */
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

/** The plates over a photograph have its average colour, darkened. */
function inkOver(pixels: Pixels, recipe: VideoRecipe, { picture }: Stage): Ink {
  return { ...inkOf(recipe), ground: darkened(average(pixels, { top: 0, rows: picture.rows * 8 })) }
}

async function addStore(pixels: Pixels, { code, bar }: Stage, ink: Ink): Promise<void> {
  const { width, height } = storeSize(code)
  const { left, perRow } = code.store
  const rows = bar ? levelStoreRows({ scale: bar.scale, perRow }) : 0
  const signs = storeSvg({ ...code, store: { ...code.store, left: 0 } }, ink)
  const levels = bar ? levelStoreSvg({ ...bar, store: { ...bar.store, left: 0 } }, ink) : ''
  const store = await draw({ width, height: height + rows * 16 }, signs + levels)
  paste(store, pixels, { left: left * 16, top: 0 })
}

/** Makes a colour dark enough for white type. */
function darkened([red, green, blue]: Rgb): string {
  const part = 34 / Math.max(34, red * 0.21 + green * 0.72 + blue * 0.07)
  return css([Math.round(red * part), Math.round(green * part), Math.round(blue * part)])
}

async function scene(recipe: VideoRecipe, stage: Stage, ground: Ground & { kind: 'scene' }): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const { picture, labels, code, bar } = stage
  const size = { width: picture.columns * 16, height: codedRows(picture) * 16 }
  const drawn = ground.scene.svg.replace('<svg ', `<svg x="${-picture.margin * 16}" `)
  const inSky = labels ? '' : await skySvg(recipe, stage, ground)
  const ink = inkOf(recipe)
  const stores = storeSvg(code, ink) + (bar ? levelStoreSvg(bar, ink) : '')
  return sharp(Buffer.from(svg(size, drawn + inSky + stores)))
}

async function drawMark({ seed }: VideoRecipe, { mark, layout }: Stage): Promise<Pixels | undefined> {
  if (!mark) return undefined
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
  return await draw({ width, height }, `<rect width="${width}" height="${height}" fill="#14161c"/>${label}`)
}

/** The time code of the first frame, and an empty level bar. Each key picture has its own. */
function addTimeCode(pixels: Pixels, stage: Stage): void {
  const writing = { frame: 0, fps: 1, level: 0 }
  for (const { left, top, columns, rows, dx, dy } of signsOf(stage, { labels: 'shown' }, writing)) {
    const place = { left: left * 16, top: top * 16 }
    const piece = { left: place.left + dx, top: place.top + dy, width: columns * 16, height: rows * 16 }
    paste(cut(pixels, piece), pixels, place)
  }
}

/** First copies the rows under the mark to their store below the picture. */
function addMark(pixels: Pixels, drawn: Pixels | undefined, { mark }: Stage): void {
  if (!mark || !drawn) return
  copyRows(pixels, { from: mark.top * 16, to: mark.store * 16, count: mark.rows * 16 })
  paste(drawn, pixels, { left: mark.left * 16, top: mark.top * 16 })
}
