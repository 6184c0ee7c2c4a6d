import { fontFamilies } from './font.ts'
import { type Direction, directionOf, escapeXml } from './lettering.ts'

/** Where and how a line of text is drawn. */
interface TextStyle {
  x: number
  y: number
  size: number
  bold?: boolean
  anchor?: 'middle' | 'end'
  opacity?: number
  fill?: string
  /** The direction of the whole text, when this is one line of it. */
  direction?: Direction
  /** The right edge of the box, at which a line from right to left begins; `x` when absent. */
  right?: number
}

/** One line of text as SVG, in the fonts of the package. */
export function text(content: string, style: TextStyle): string {
  const { y, size, bold = false, opacity = 1, fill = '#fff' } = style
  const family = bold ? `${fontFamilies.bold}" font-weight="700` : fontFamilies.regular
  const look = `font-size="${size}" fill="${fill}" fill-opacity="${opacity}"`
  return `<text y="${y}" font-family="${family}" ${look} ${positionOf(content, style)}>${escapeXml(content)}</text>`
}

/** In SVG a line from right to left starts at its right end. */
function positionOf(content: string, { x, anchor, direction, right }: TextStyle): string {
  if ((direction ?? directionOf(content)) === 'ltr') return `x="${x}" text-anchor="${anchor ?? 'start'}"`
  if (anchor === 'middle') return `x="${x}" text-anchor="middle" direction="rtl"`
  const atRight = right !== undefined || anchor === 'end'
  return `x="${right ?? x}" text-anchor="${atRight ? 'start' : 'end'}" direction="rtl"`
}

/** A whole SVG drawing of a size in pixels. */
export function svg({ width, height }: { width: number; height: number }, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
}

/** The measures of a picture, in pixels. */
export interface Layout {
  width: number
  height: number
  /** One hundredth of the side of a square of the same area; all other lengths are multiples of it. */
  unit: number
  margin: number
}

/** The layout for a picture of this size. */
export function layoutOf({ width, height }: { width: number; height: number }): Layout {
  const unit = Math.min(Math.sqrt(width * height) / 100, width / 64, height / 48)
  return { width, height, unit, margin: Math.round((unit * 5) / 2) * 2 }
}
