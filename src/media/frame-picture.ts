import { fontFamilies, registerFonts } from './font.ts'
import { type Layout, layoutOf } from './frame-layout.ts'
import { escapeXml, fitLine, fitText, textWidth } from './lettering.ts'
import { css, type Palette, paletteOf } from './palette.ts'
import type { Caption } from './recipe.ts'

/** What a still picture shows. */
export interface PictureOrder {
  width: number
  height: number
  seed: number
  caption: Caption
  mark: boolean
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

interface Thumbnail {
  left: number
  top: number
  width: number
  height: number
  href: string
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

function slateSvg(order: PictureOrder, layout: Layout, row: readonly Thumbnail[]): string {
  const palette = paletteOf(order.seed)
  const parts = [
    backdrop(order, layout, palette),
    header(order, layout, palette),
    prompt(order, layout, row[0]?.top ?? chipsTop(layout)),
    ...row.map((thumbnail, i) => thumbnailSvg(thumbnail, i, layout.unit)),
    chips(order, layout),
    footer(order, layout, palette),
  ]
  return svg(order, parts)
}

function captionSvg(order: PictureOrder, layout: Layout): string {
  const { width, height } = order
  const { unit, margin } = layout
  const top = height - unit * 27
  const room = width - 2 * margin - (order.mark ? markWidth(unit) + unit * 2 : 0)
  const line = fitLine(order.caption.prompt, room / (unit * 2.5))
  const title = fitLine(order.caption.title, room / (unit * 1.9))
  const scrim = `<linearGradient id="scrim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-opacity="0"/>
    <stop offset=".55" stop-opacity=".5"/><stop offset="1" stop-opacity=".78"/></linearGradient>`
  return svg(order, [
    `<defs>${scrim}</defs><rect y="${top}" width="${width}" height="${height - top}" fill="url(#scrim)"/>`,
    text(title, { x: margin, y: chipsTop(layout) - unit * 1.5, size: unit * 1.9, bold: true, opacity: 0.8 }),
    text(line, { x: margin, y: chipsTop(layout) + unit * 2.6, size: unit * 2.5 }),
    footer(order, layout, paletteOf(order.seed)),
  ])
}

function svg({ width, height }: PictureOrder, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('\n')}</svg>`
}

function backdrop({ width, height, seed }: PictureOrder, { unit }: Layout, palette: Palette): string {
  const x = width * (0.7 + ((seed >>> 3) % 20) / 100)
  const y = height * (0.16 + ((seed >>> 7) % 24) / 100)
  const rings = [14, 24, 36, 50, 66].map((radius, i) => {
    const opacity = 0.16 - i * 0.026
    return `<circle cx="${x}" cy="${y}" r="${radius * unit}" fill="none" stroke="#fff" stroke-opacity="${opacity}" stroke-width="${unit * 0.16}"/>`
  })
  return `<defs>
    <linearGradient id="sky" x1="0" y1="1" x2="1" y2="0"><stop offset="0" stop-color="${css(palette.deep)}"/>
      <stop offset="1" stop-color="${css(palette.middle)}"/></linearGradient>
    <radialGradient id="glow"><stop offset="0" stop-color="${css(palette.glow)}" stop-opacity=".85"/>
      <stop offset=".45" stop-color="${css(palette.glow)}" stop-opacity=".3"/>
      <stop offset="1" stop-color="${css(palette.glow)}" stop-opacity="0"/></radialGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${x}" cy="${y}" r="${unit * 48}" fill="url(#glow)"/>${rings.join('')}
    <circle cx="${x}" cy="${y}" r="${unit * 5}" fill="${css(palette.accent)}" fill-opacity=".13"/>`
}

function header({ caption, width }: PictureOrder, { unit, margin }: Layout, palette: Palette): string {
  const title = fitLine(caption.title, (width - 2 * margin - unit * 3) / (unit * 2.1))
  const y = margin + unit * 1.6
  return `<rect x="${margin}" y="${y - unit * 1.5}" width="${unit * 0.7}" height="${unit * 1.9}" rx="${unit * 0.2}" fill="${css(palette.accent)}"/>
    ${text(title, { x: margin + unit * 1.9, y, size: unit * 2.1, bold: true, opacity: 0.86 })}`
}

function prompt({ caption, width }: PictureOrder, { unit, margin }: Layout, bottom: number): string {
  const top = margin + unit * 5
  const leading = 1.3
  const sizes = [10.5, 8.4, 7.4, 6.4, 5.6, 4.8, 4.2, 3.6, 3.1, 2.7].map(size => size * unit)
  const height = bottom - top - unit * 2.6
  const box = { width: Math.min(width - 2 * margin, unit * 120), height, sizes, maxLines: 18, leading }
  const { size, lines } = fitText(caption.prompt, box)
  return lines
    .map((line, i) => text(line, { x: margin, y: top + size * (0.95 + i * leading), size }))
    .join('')
}

function chipsTop({ stripTop, unit }: Layout): number {
  return stripTop - unit * 5.2
}

/** The facts as pills, side by side for as long as there is room. */
function chips({ caption, width, mark }: PictureOrder, layout: Layout): string {
  const { unit, margin } = layout
  const size = unit * 1.95
  const limit = width - margin - (mark ? markWidth(unit) + unit * 2 : 0)
  let x = margin
  const drawn: string[] = []
  for (const fact of caption.facts) {
    const label = fitLine(fact, (width - 2 * margin) / size - 2)
    const wide = textWidth(label) * size + unit * 2.4
    if (x + wide > limit) break
    drawn.push(
      `<rect x="${x}" y="${chipsTop(layout)}" width="${wide}" height="${unit * 3.7}" rx="${unit * 1.85}" fill="#fff" fill-opacity=".13"/>`,
    )
    drawn.push(
      text(label, {
        x: x + wide / 2,
        y: chipsTop(layout) + unit * 2.52,
        size,
        anchor: 'middle',
        opacity: 0.95,
      }),
    )
    x += wide + unit * 1
  }
  return drawn.join('')
}

function thumbnailSvg({ left, top, width, height, href }: Thumbnail, number: number, unit: number): string {
  const frame = `x="${left}" y="${top}" width="${width}" height="${height}"`
  return `<clipPath id="cut${number}"><rect ${frame} rx="${unit}"/></clipPath>
    <image ${frame} href="${href}" clip-path="url(#cut${number})"/>
    <rect ${frame} rx="${unit}" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="${unit * 0.2}"/>`
}

function footer(order: PictureOrder, layout: Layout, palette: Palette): string {
  const { bar } = layout
  const rail = `<rect x="${bar.left}" y="${bar.top}" width="${bar.width}" height="${bar.height}" rx="${bar.radius}" fill="#fff" fill-opacity=".24"/>`
  return (order.rail ? rail : '') + (order.mark ? markSvg(order, layout, palette) : '')
}

const markText = 'AI generated'

function markWidth(unit: number): number {
  return textWidth(markText) * unit * 1.95 + unit * 2.6
}

function markSvg({ width }: PictureOrder, layout: Layout, palette: Palette): string {
  const { unit, margin } = layout
  const wide = markWidth(unit)
  const y = chipsTop(layout)
  const x = width - margin - wide
  return `<rect x="${x}" y="${y}" width="${wide}" height="${unit * 3.7}" rx="${unit * 0.7}" fill="#000" fill-opacity=".5"/>
    ${text(markText, { x: x + wide / 2, y: y + unit * 2.52, size: unit * 1.95, bold: true, anchor: 'middle', fill: css(palette.accent) })}`
}

interface TextStyle {
  x: number
  y: number
  size: number
  bold?: boolean
  anchor?: 'middle' | 'end'
  opacity?: number
  fill?: string
}

function text(
  content: string,
  { x, y, size, bold = false, anchor, opacity = 1, fill = '#fff' }: TextStyle,
): string {
  const family = bold ? `${fontFamilies.bold}" font-weight="700` : fontFamilies.regular
  const place = anchor ? ` text-anchor="${anchor}"` : ''
  const look = `font-size="${size}" fill="${fill}" fill-opacity="${opacity}"${place}`
  return `<text x="${x}" y="${y}" font-family="${family}" ${look}>${escapeXml(content)}</text>`
}
