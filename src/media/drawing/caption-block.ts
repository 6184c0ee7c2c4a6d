import type { VideoRecipe } from '../render/recipe.ts'
import { boldFactor, fitLine, fitText, textWidth } from './lettering.ts'
import { text } from './svg.ts'

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
