import { captionBlock } from '../drawing/caption-block.ts'
import { css, paletteOf, paper } from '../drawing/palette.ts'
import { loadSharp } from '../load-sharp.ts'
import type { VideoRecipe } from '../recipe.ts'
import { type Labels, labelRoom, type Stage, thumbsIn } from './stage.ts'
import { type Ink, unchangingSvg } from './time-code.ts'

/** The size of the drawing of labels, in pixels. */
export function labelSize({ rows, caption, clock }: Labels): { width: number; height: number } {
  return { width: (caption.columns + clock.columns) * 16, height: rows * 16 }
}

/** What labels show. */
interface LabelOrder extends Pick<VideoRecipe, 'prompt' | 'caption' | 'firstFrame' | 'lastFrame'> {
  references: readonly Buffer[]
  ink: Ink
}

/** The labels as SVG: the caption with the references, and at the right the plate of the time code. */
export async function labelSvg(
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

/** The colours of time code and labels. */
export function inkOf({ seed }: Pick<VideoRecipe, 'seed'>): Ink {
  return { ground: '#14171f', sign: '#ffffff', light: css(paletteOf(seed).accent) }
}

interface Area {
  left: number
  top: number
  width: number
  height: number
}

/** A picture with a white edge, cut to fit. */
async function frameSvg(picture: Buffer, { left, top, width, height }: Area, unit: number): Promise<string> {
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
