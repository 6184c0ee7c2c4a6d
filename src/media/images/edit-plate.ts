import { captionBlock } from '../drawing/caption-block.ts'
import { layoutOf } from '../drawing/frame-layout.ts'
import { css, paletteOf } from '../drawing/palette.ts'
import type { ImageRecipe } from '../recipe.ts'
import type { Pixels } from '../video/pixels.ts'
import { calmPlace } from './calm-place.ts'
import type { Frame } from './places.ts'

/**
 * The prompt on a small translucent plate, at the place where it hides least of the given picture, as SVG.
 * @param given the picture, the part of the output that it fills, and parts of the output that must stay visible
 */
export function editPlate(
  recipe: ImageRecipe,
  given: { picture: Pixels; frame: Frame; taken: readonly Frame[] },
): string {
  const { width, height, seed, prompt } = recipe
  const { unit } = layoutOf(recipe)
  const [across, down] = [unit * 1.3, unit * 0.9]
  const margin = unit * 3.4
  const facts = [`${width}×${height}`, `seed ${seed}`]
  const room = {
    left: 0,
    top: 0,
    // Less than half of a narrow picture: the other half may be the subject's.
    width: Math.min(unit * 42, width * 0.46 - 2 * across),
    height: unit * 16,
    unit,
  }
  const caption = captionBlock(
    { prompt, caption: { title: 'Edit', facts } },
    { ...room, largest: 2.4, maxLines: height > width ? 3 : 2 },
    css(paletteOf(seed).accent),
  )
  const size = { width: caption.width + 2 * across, height: caption.height + 2 * down }
  const { left, top } = calmPlace({ width, height, margin }, size, given)
  return `<rect x="${left}" y="${top}" width="${size.width}" height="${size.height}" rx="${unit}" fill="#14161c" fill-opacity=".6"/>
    <g transform="translate(${left + across} ${top + down})">${caption.svg}</g>`
}
