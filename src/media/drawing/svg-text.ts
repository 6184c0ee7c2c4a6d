import { fontFamilies } from './font.ts'
import { escapeXml } from './lettering.ts'

/** Where and how a line of text stands. */
export interface TextStyle {
  x: number
  y: number
  size: number
  bold?: boolean
  anchor?: 'middle' | 'end'
  opacity?: number
  fill?: string
}

/** One line of text as SVG, in our own fonts. */
export function text(
  content: string,
  { x, y, size, bold = false, anchor, opacity = 1, fill = '#fff' }: TextStyle,
): string {
  const family = bold ? `${fontFamilies.bold}" font-weight="700` : fontFamilies.regular
  const place = anchor ? ` text-anchor="${anchor}"` : ''
  const look = `font-size="${size}" fill="${fill}" fill-opacity="${opacity}"${place}`
  return `<text x="${x}" y="${y}" font-family="${family}" ${look}>${escapeXml(content)}</text>`
}
