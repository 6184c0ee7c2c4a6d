import { hex, paletteOf } from '../drawing/colour.ts'
import { fitLine, fitText, textWidth } from '../drawing/lettering.ts'
import { type Layout, layoutOf, text } from '../drawing/svg.ts'

interface CaptionOrder {
  width: number
  height: number
  seed: number
  prompt: string
  /** Short facts, as pills in the last row. */
  facts: readonly string[]
  mark: boolean
  /** The most lines of the prompt. */
  maxLines: number
  /** The largest font size, in hundredths of the picture's side. */
  largest: number
  /** The background of the text: a shade at the lower edge, or nothing. */
  ground: 'shade' | 'none'
}

/** A caption as SVG without its outer element, and the row where it begins, in pixels. */
export interface DrawnCaption {
  svg: string
  top: number
}

/** Draws the prompt, the facts and the AI mark at the lower edge of a picture. */
export function drawCaption(order: CaptionOrder): DrawnCaption {
  const layout = layoutOf(order)
  const { unit, margin } = layout
  const row = rowOf(order, layout)
  const { width, height } = order
  // A fifth of a wide picture, up to a third of a tall one.
  const room = {
    width: Math.min(width - 2 * margin, unit * 130),
    height: height * 0.2 * Math.min(1.6, Math.max(1, height / width)),
  }
  const sizes = [4.6, 3.9, 3.3, 2.8, 2.4].filter(size => size <= order.largest).map(size => size * unit)
  const box = { ...room, sizes, maxLines: order.maxLines, leading: 1.32 }
  const { size, lines, direction } = fitText(order.prompt, box)
  const sides = { x: margin, right: margin + room.width, direction }
  const textTop = row.top - unit * 2.2 - lines.length * size * 1.32
  const top = lines.length > 0 ? textTop : row.top
  const svg = [
    ground(order, layout, top),
    ...lines.map((line, i) => text(line, { ...sides, y: textTop + size * (0.98 + i * 1.32), size })),
    ...row.pills,
  ].join('')
  return { svg, top }
}

function ground({ ground: kind, width, height }: CaptionOrder, { unit }: Layout, top: number): string {
  if (kind === 'none') return ''
  const from = Math.max(0, top - unit * 15)
  return `<defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-opacity="0"/>
    <stop offset=".5" stop-opacity=".5"/><stop offset="1" stop-opacity=".8"/></linearGradient></defs>
    <rect y="${from}" width="${width}" height="${height - from}" fill="url(#shade)"/>`
}

export const markText = 'AI generated'

/** As many facts as fit from the left, and the mark at the right. */
function rowOf(
  { facts, mark, seed, width, height }: Pick<CaptionOrder, 'facts' | 'mark' | 'seed' | 'width' | 'height'>,
  { unit, margin }: Layout,
) {
  const size = unit * 1.95
  const top = height - margin - unit * 3.7
  const pills: string[] = []
  const wideOf = (label: string) => textWidth(label) * size + unit * 2.4
  const pill = (label: string, x: number, look: { ground: string; fill?: string }) =>
    `<rect x="${x}" y="${top}" width="${wideOf(label)}" height="${unit * 3.7}" rx="${unit * 1.85}" ${look.ground}/>` +
    text(label, {
      x: x + wideOf(label) / 2,
      y: top + unit * 2.52,
      size,
      anchor: 'middle',
      ...(look.fill && { fill: look.fill, bold: true }),
    })
  let right = width - margin
  if (mark) {
    right -= wideOf(markText)
    pills.push(
      pill(markText, right, { ground: 'fill="#000" fill-opacity=".55"', fill: hex(paletteOf(seed).accent) }),
    )
    right -= unit * 2
  }
  let x = margin
  for (const fact of facts) {
    const label = fitLine(fact, (width - 2 * margin) / size - 2)
    if (x + wideOf(label) > right) break
    pills.push(pill(label, x, { ground: 'fill="#fff" fill-opacity=".17"' }))
    x += wideOf(label) + unit
  }
  return { top, pills }
}

/** The AI mark alone, at the lower right. */
export function markSvg(order: { width: number; height: number; seed: number }): string {
  return rowOf({ ...order, facts: [], mark: true }, layoutOf(order)).pills.join('')
}

/** The place of the AI mark, in pixels. */
export function markFrame(size: { width: number; height: number }) {
  const { unit, margin } = layoutOf(size)
  const wide = (textWidth(markText) * 1.95 + 2.4) * unit
  return {
    left: size.width - margin - wide,
    top: size.height - margin - unit * 3.7,
    width: wide,
    height: unit * 3.7,
  }
}
