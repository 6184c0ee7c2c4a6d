import { fixturePath } from '../../emulator/ground.ts'
import { once } from '../files/gate.ts'
import { loadSharp } from '../render/pixels.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import {
  boldFactor,
  type Direction,
  directionOf,
  escapeXml,
  fitLine,
  fitText,
  textWidth,
} from './lettering.ts'

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

/**
 * The fonts of the package, in the order in which they are searched for a character. They are parts of Noto Sans and Noto Emoji, renamed
 * so that a font of the system is never used instead.
 */
const scripts = [
  'Latin',
  'Han',
  'Han Japanese',
  'Han Traditional',
  'Han Rare',
  'Korean',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Bengali',
  'Tamil',
  'Armenian',
  'Georgian',
  'Emoji',
  'Symbols',
]

const regular = scripts.map(script => `Gateway ${script}`).join(', ')

/** The families under which drawings find the fonts. The bold font has only Latin letters; other characters are drawn in regular type. */
const fontFamilies = { regular, bold: `Gateway Bold, ${regular}` }

const files = [...scripts.map(script => script.toLowerCase().replaceAll(' ', '-')), 'latin-bold']

/**
 * Registers the fonts with the drawing library, once for each process: this takes about 3 ms a font, otherwise
 * for each drawing. All fonts are registered before the first drawing with text, because later ones would
 * change the bytes of drawings in other scripts.
 */
export const registerFonts = once(async () => {
  const sharp = await loadSharp()
  await Promise.all(
    files.map(file => {
      const fontfile = fixturePath(`font/${file}.ttf`)
      return sharp({ text: { text: 'x', font: 'Gateway Latin 12', fontfile } })
        .raw()
        .toBuffer()
    }),
  )
})

/** The space for a caption, in pixels. `unit` is one hundredth of the picture's side; font sizes are multiples of it. */
export interface CaptionRoom {
  left: number
  top: number
  width: number
  height: number
  unit: number
  /** The largest font size of the prompt, and its maximum number of lines. */
  largest: number
  maxLines: number
}

const sizes = [4.2, 3.8, 3.4, 3, 2.7, 2.4, 2.1, 1.9]
const small = 1.75

/** A caption as SVG, and its size: id, prompt, and one line of facts. Text that does not fit is left out. */
export function captionBlock(
  { prompt, caption: { title, facts } }: Pick<VideoRecipe, 'prompt' | 'caption'>,
  { left, top, width, height, unit, largest, maxLines }: CaptionRoom,
  accent: string,
): { svg: string; width: number; height: number } {
  const bar = unit * 1.5
  const head = small * unit * 2
  const foot = small * unit * 1.6
  const box = {
    width,
    height: Math.max(height - head - foot, unit * 2.4),
    sizes: sizes.filter(size => size <= largest).map(size => size * unit),
    maxLines,
    leading: 1.28,
  }
  const { size, lines, direction } = fitText(prompt, box)
  const y = top + head
  const bottom = y + lines.length * size * 1.28
  const id = fitLine(title, (width - bar) / (small * unit * boldFactor))
  const about = fitLine(facts.join('  ·  '), width / (small * unit))
  const wide = Math.max(
    bar + textWidth(id) * small * unit * boldFactor,
    ...lines.map(line => textWidth(line) * size),
    textWidth(about) * small * unit,
  )
  const svg = [
    `<rect x="${left}" y="${top + unit * 0.1}" width="${unit * 0.55}" height="${unit * 1.55}" rx="${unit * 0.2}" fill="${accent}"/>`,
    text(id, { x: left + bar, y: top + unit * 1.5, size: small * unit, bold: true, opacity: 0.88 }),
    ...lines.map((line, i) =>
      text(line, { x: left, right: left + wide, direction, y: y + size * (0.98 + i * 1.28), size }),
    ),
    text(about, { x: left, y: bottom + unit * 2.35, size: small * unit, opacity: 0.8 }),
  ]
  return { svg: svg.join(''), width: wide, height: bottom + foot - top }
}
