import type { Layout } from './frame-layout.ts'
import type { PictureOrder } from './frame-picture.ts'
import { boldFactor, fitLine, fitText, textWidth } from './lettering.ts'
import { css, type Palette, paletteOf } from './palette.ts'
import { text } from './svg-text.ts'

/** A picture in the row of references, placed. `href` is a data URI. */
export interface Thumbnail {
  left: number
  top: number
  width: number
  height: number
  href: string
}

/** The slate in the colours of the seed: title, prompt, references, facts. */
export function slateSvg(order: PictureOrder, layout: Layout, row: readonly Thumbnail[]): string {
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

/** What stands over a photograph: title and prompt on a dark foot. */
export function captionSvg(order: PictureOrder, layout: Layout): string {
  if (!order.captioned) return svg(order, [footer({ ...order, rail: false }, layout, paletteOf(order.seed))])
  const { width, height } = order
  const { unit, margin } = layout
  const top = height - unit * 27
  const room = width - 2 * margin - (order.mark ? markWidth(unit) + unit * 2 : 0)
  const line = fitLine(order.caption.prompt, room / (unit * 2.5))
  const title = fitLine(order.caption.title, room / (unit * 1.9 * boldFactor))
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

/** Discs of plain colour over a straight gradient: a round gradient would cost as much as all the rest together. */
function backdrop({ width, height, seed }: PictureOrder, { unit }: Layout, palette: Palette): string {
  const scattered = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  const x = width * (0.68 + (scattered % 22) / 100)
  const y = height * (0.14 + ((scattered >>> 8) % 26) / 100)
  const discs = [74, 56, 41, 28.5, 18, 9.5].map((radius, i) => {
    const fill = `fill="${css(palette.glow)}" fill-opacity="${0.07 + i * 0.035}"`
    const line = `stroke="#fff" stroke-opacity="${0.04 + i * 0.018}" stroke-width="${unit * 0.14}"`
    return `<circle cx="${x}" cy="${y}" r="${radius * unit}" ${fill} ${line}/>`
  })
  return `<defs><linearGradient id="sky" x1="0" y1="1" x2="1" y2="0">
    <stop offset="0" stop-color="${css(palette.deep)}"/>
    <stop offset="1" stop-color="${css(palette.middle)}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>${discs.join('')}
    <circle cx="${x}" cy="${y}" r="${unit * 3.4}" fill="${css(palette.accent)}" fill-opacity=".3"/>`
}

function header({ caption, width }: PictureOrder, { unit, margin }: Layout, palette: Palette): string {
  const title = fitLine(caption.title, (width - 2 * margin - unit * 3) / (unit * 2.1 * boldFactor))
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
  const { size, lines, direction } = fitText(caption.prompt, box)
  const right = margin + box.width
  return lines
    .map((line, i) => text(line, { x: margin, right, direction, y: top + size * (0.95 + i * leading), size }))
    .join('')
}

/** The upper edge of the row of facts and of the mark. */
export function chipsTop({ stripTop, unit }: Layout): number {
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
  return textWidth(markText) * unit * 1.95 * boldFactor + unit * 2.2
}

function markSvg({ width }: PictureOrder, layout: Layout, palette: Palette): string {
  const { unit, margin } = layout
  const wide = markWidth(unit)
  const y = chipsTop(layout)
  const x = width - margin - wide
  return `<rect x="${x}" y="${y}" width="${wide}" height="${unit * 3.7}" rx="${unit * 0.7}" fill="#000" fill-opacity=".5"/>
    ${text(markText, { x: x + wide / 2, y: y + unit * 2.52, size: unit * 1.95, bold: true, anchor: 'middle', fill: css(palette.accent) })}`
}
