import type { Sharp } from 'sharp'
import { hex, paletteOf, paper, type Rgb } from '../drawing/colour.ts'
import { boldFactor } from '../drawing/lettering.ts'
import { captionBlock, registerFonts, svg, text } from '../drawing/svg.ts'
import { markText } from '../images/caption.ts'
import { average, loadSharp, type Piece, type Pixels, paste, pixelsOf } from '../render/pixels.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { codedRows } from './coded-picture.ts'
import { type Ink, levelStoreRows, levelStoreSvg, storeSize, storeSvg, unchangingSvg } from './signs.ts'
import { type Labels, labelRoom, type Stage, thumbsIn } from './stage.ts'
import { labelPieces } from './stage-field.ts'

/** The picture behind the labels of a video: a given one, or a drawn scene. */
export type Ground =
  | { kind: 'photo'; bytes: Buffer; references: readonly Buffer[] }
  | { kind: 'scene'; scene: SceneDrawing; references: readonly Buffer[] }

/** The coded picture of a ground, with the store of signs. Labels without a time code are in it when they stay, and else apart. */
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
    openGround(stage, ground).then(drawing => {
      const pixels = pixelsOf(drawing)
      begun?.()
      return pixels
    }),
    drawMark(recipe, stage),
  ])
  const ink = inkOver(picture, recipe, stage)
  await addStore(picture, stage, ink)
  addMark(picture, mark, stage)
  const drawing = await labelSvg(stage, { ...recipe, references: ground.references, ink })
  const labels = await draw(labelSize(stage.labels), drawing)
  if (!stage.labels.stay) return { picture, labels }
  addLabels(picture, labels, stage)
  return { picture }
}

export function addLabels(picture: Pixels, labels: Pixels, stage: Stage): void {
  for (const place of labelPieces(stage)) paste(labels, picture, place)
}

function openGround(stage: Stage, ground: Ground): Promise<Sharp> {
  return ground.kind === 'photo' ? photo(stage, ground.bytes) : scene(stage, ground)
}

async function draw(size: { width: number; height: number }, content: string): Promise<Pixels> {
  const sharp = await loadSharp()
  return await pixelsOf(sharp(Buffer.from(svg(size, content))).toColourspace('srgb'))
}

/** The picture fitted to the size, and mirrored into the hidden columns and rows. */
async function photo({ picture }: Stage, bytes: Buffer): Promise<Sharp> {
  const sharp = await loadSharp()
  const { width, height, columns } = picture
  const sides = { right: columns * 16 - width, bottom: codedRows(picture) * 16 - height }
  return sharp(bytes)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: paper })
    .extend({ ...sides, extendWith: 'mirror' })
    .ensureAlpha()
}

/** The plates have the average colour of what is behind them, darkened. */
function inkOver(pixels: Pixels, { seed }: VideoRecipe, { picture }: Stage): Ink {
  const ground = darkened(average(pixels, { top: 0, rows: picture.rows * 8 }))
  return { ground, sign: '#ffffff', light: hex(paletteOf(seed).accent) }
}

async function addStore(pixels: Pixels, { code, bar }: Stage, ink: Ink): Promise<void> {
  const { width, height } = storeSize(code)
  const { left, perRow } = code.store
  const rows = bar ? levelStoreRows({ scale: bar.scale, perRow }) : 0
  const signs = storeSvg({ ...code, store: { ...code.store, left: 0 } }, ink)
  const levels = bar ? levelStoreSvg({ ...bar, store: { ...bar.store, left: 0 } }, ink) : ''
  const store = await draw({ width, height: height + rows * 16 }, signs + levels)
  paste(store, pixels, { at: { left: left * 16, top: 0 } })
}

/** Makes a colour dark enough for white type. */
function darkened([red, green, blue]: Rgb): string {
  const part = 34 / Math.max(34, red * 0.21 + green * 0.72 + blue * 0.07)
  return hex([Math.round(red * part), Math.round(green * part), Math.round(blue * part)])
}

async function scene({ picture }: Stage, { scene }: Ground & { kind: 'scene' }): Promise<Sharp> {
  const sharp = await loadSharp()
  const size = { width: picture.columns * 16, height: codedRows(picture) * 16 }
  const drawn = scene.svg.replace('<svg ', `<svg x="${-picture.margin * 16}" `)
  return sharp(Buffer.from(svg(size, drawn)))
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
    fill: hex(paletteOf(seed).accent),
  })
  return await draw({ width, height }, `<rect width="${width}" height="${height}" fill="#14161c"/>${label}`)
}

/** First copies the rows under the mark to their store below the picture. */
function addMark(pixels: Pixels, drawn: Pixels | undefined, { mark }: Stage): void {
  if (!mark || !drawn) return
  const covered = { left: 0, top: mark.top * 16, width: pixels.width, height: mark.rows * 16 }
  paste(pixels, pixels, { at: { left: 0, top: mark.store * 16 }, piece: covered })
  paste(drawn, pixels, { at: { left: mark.left * 16, top: mark.top * 16 } })
}

/** The size of the drawing of labels, in pixels. */
function labelSize({ rows, caption, clock }: Labels): { width: number; height: number } {
  return { width: (caption.columns + clock.columns) * 16, height: rows * 16 }
}

/** What labels show. */
interface LabelOrder extends Pick<VideoRecipe, 'prompt' | 'caption' | 'firstFrame' | 'lastFrame'> {
  references: readonly Buffer[]
  ink: Ink
}

/** The labels as SVG: the caption with the references, and at the right the plate of the time code. */
async function labelSvg(
  { code, layout, labels }: Stage,
  { references, ink, ...words }: LabelOrder,
): Promise<string> {
  const { width, height } = labelSize(labels)
  const plate = `<rect width="${width}" height="${height}" fill="${ink.ground}"/>`
  const drawn = captionBlock(words, labelRoom(layout, words), ink.light)
  const { step, ...size } = thumbsIn(labels.rows, layout)
  const from = layout.margin + drawn.width + layout.unit * 2
  const count = Math.floor((labels.caption.columns * 16 - from) / step)
  const thumbs = await Promise.all(
    references.slice(0, Math.max(0, count)).map((picture, i) => {
      const place = { left: Math.round(from + i * step), top: Math.round(layout.unit) }
      return frameSvg(picture, { ...size, ...place }, layout.unit)
    }),
  )
  const clock = { left: labels.clock.left, top: 0, scale: code.scale }
  return plate + drawn.svg + thumbs.join('') + unchangingSvg(clock, code.form, ink)
}

/** A picture with a white edge, cut to fit. */
async function frameSvg(picture: Buffer, { left, top, width, height }: Piece, unit: number): Promise<string> {
  const sharp = await loadSharp()
  const line = Math.max(2, Math.round(unit * 0.45))
  const [wide, high] = [width - 2 * line, height - 2 * line]
  const data = await sharp(picture)
    .rotate()
    .resize(wide, high, { fit: 'cover' })
    .flatten({ background: paper })
    .jpeg({ quality: 90 })
    .toBuffer()
  return `<rect x="${left + line / 2}" y="${top + line}" width="${width}" height="${height}" fill="#000" fill-opacity=".22"/>
    <rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#fff"/>
    <image x="${left + line}" y="${top + line}" width="${wide}" height="${high}" href="data:image/jpeg;base64,${data.toString('base64')}"/>`
}
