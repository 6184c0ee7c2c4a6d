import type { Caption } from '../recipe.ts'
import { registerFonts } from './font.ts'
import { type Layout, layoutOf } from './frame-layout.ts'
import { captionSvg, chipsTop, slateSvg, type Thumbnail } from './slate.ts'

/** What a still picture shows. */
export interface PictureOrder {
  width: number
  height: number
  seed: number
  caption: Caption
  mark: boolean
  /** Title, prompt and rail over a photograph; without, the photograph as it is, with the mark when that is asked for. */
  captioned: boolean
  /** Fills the picture, cut to fit. Without it there is a slate in the colours of the seed. */
  photo?: Buffer
  /** Shown in a row on the slate. */
  thumbnails: readonly Buffer[]
  /** A rail for the progress bar at the foot, and room for a time code. */
  rail: boolean
}

/** Pixels of three bytes each: red, green, blue. */
export interface Pixels {
  width: number
  height: number
  channels: number
  bytes: Buffer
}

/** What shows through a transparent picture. */
const paper = '#f4f4f2'

/** Draws a picture. Needs no font on the system. */
export async function drawPicture(order: PictureOrder): Promise<Pixels> {
  await registerFonts()
  const { default: sharp } = await import('sharp')
  const layout = layoutOf(order)
  const { width, height } = order
  const drawing = order.photo
    ? sharp(order.photo)
        .rotate()
        .resize(width, height, { fit: 'cover' })
        .flatten({ background: paper })
        .composite([{ input: Buffer.from(captionSvg(order, layout)) }])
    : sharp(Buffer.from(slateSvg(order, layout, await thumbnails(order, layout))))
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, bytes: data }
}

async function thumbnails(order: PictureOrder, layout: Layout): Promise<Thumbnail[]> {
  const { default: sharp } = await import('sharp')
  const { unit, margin } = layout
  const room = order.width - 2 * margin
  const shown = order.thumbnails.slice(0, 9)
  const gap = unit * 1.2
  const height = Math.round(
    Math.min(unit * 17, (room - gap * (shown.length - 1)) / Math.max(shown.length, 1) / 1.2),
  )
  const widths: number[] = []
  const hrefs: string[] = []
  for (const picture of shown) {
    const { data, info } = await sharp(picture)
      .rotate()
      .resize({ height, width: Math.round(height * 1.2), fit: 'cover' })
      .flatten({ background: paper })
      .jpeg({ quality: 88 })
      .toBuffer({ resolveWithObject: true })
    widths.push(info.width)
    hrefs.push(`data:image/jpeg;base64,${data.toString('base64')}`)
  }
  const top = chipsTop(layout) - unit * 2.4 - height
  return hrefs.map((href, i) => ({
    left: margin + i * (height * 1.2 + gap),
    top,
    width: widths[i] ?? 0,
    height,
    href,
  }))
}
