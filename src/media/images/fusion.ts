import type { Sharp } from 'sharp'
import { randomFor } from '../../emulator/ground.ts'
import { hex, paletteOf, paper } from '../drawing/colour.ts'
import { layoutOf, svg, text } from '../drawing/svg.ts'
import { loadSharp } from '../render/pixels.ts'
import type { ImageRecipe } from '../render/recipe.ts'
import { drawScene, sceneWords } from '../scenes/scene.ts'
import { drawCaption } from './caption.ts'
import type { InputPicture } from './input-picture.ts'
import { type Frame, placesSvg } from './places.ts'

/** Draws all references as prints on one scene, each without cropping and with the number that prompts use. */
export async function drawFusion(recipe: ImageRecipe, inputs: readonly InputPicture[]): Promise<Sharp> {
  const sharp = await loadSharp()
  const { width, height, seed } = recipe
  const frames = framesOf(recipe, inputs)
  const prints: string[] = []
  // One after the other, because ten large references at once would need too much memory.
  for (const [index, frame] of frames.entries()) {
    const input = inputs[index]
    if (input) prints.push(await printSvg(recipe, { input, frame, index }))
  }
  const shade = `<rect width="${width}" height="${height}" fill="#000" fill-opacity=".34"/>`
  const caption = drawCaption({
    ...recipe,
    facts: [`${width}×${height}`, `seed ${seed}`, `${inputs.length} references`],
    maxLines: 2,
    largest: 3.9,
    ground: 'shade',
  })
  const scene = drawScene({ words: sceneWords(recipe.prompt, seed), seed, width, height, margin: 0 })
  return sharp(Buffer.from(svg(recipe, scene.svg + shade + caption.svg + prints.join(''))), {
    unlimited: true,
  })
}

/** The rows and columns above the caption in which the pictures are largest. */
function framesOf({ width, height }: ImageRecipe, inputs: readonly InputPicture[]): Frame[] {
  const { unit, margin } = layoutOf({ width, height })
  const room = {
    left: margin,
    top: margin,
    width: width - 2 * margin,
    height: height - 2 * margin - unit * 20,
  }
  const grids = inputs.map((_, index) => gridOf(room, { inputs, columns: index + 1, gap: unit * 4 }))
  return grids.reduce((best, one) => (areaOf(one) > areaOf(best) ? one : best))
}

function areaOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { width, height }) => sum + width * height, 0)
}

function gridOf(
  room: Frame,
  { inputs, columns, gap }: { inputs: readonly InputPicture[]; columns: number; gap: number },
): Frame[] {
  const rows = Math.ceil(inputs.length / columns)
  const cell = {
    width: (room.width - gap * (columns - 1)) / columns,
    height: (room.height - gap * (rows - 1)) / rows,
  }
  return inputs.map(({ widthPx, heightPx }, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, inputs.length - row * columns)
    const start = room.left + (room.width - inRow * cell.width - (inRow - 1) * gap) / 2
    const scale = Math.max(0.001, Math.min(cell.width / widthPx, cell.height / heightPx))
    const size = { width: Math.max(2, widthPx * scale), height: Math.max(2, heightPx * scale) }
    return {
      ...size,
      left: start + (index % columns) * (cell.width + gap) + (cell.width - size.width) / 2,
      top: room.top + row * (cell.height + gap) + (cell.height - size.height) / 2,
    }
  })
}

/** A print with a white edge, turned by a few degrees. */
async function printSvg(
  recipe: ImageRecipe,
  { input, frame, index }: { input: InputPicture; frame: Frame; index: number },
): Promise<string> {
  const { unit } = layoutOf(recipe)
  const { left, top, width, height } = frame
  const picture = await input
    .open()
    .resize(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), { fit: 'fill' })
    .flatten({ background: paper })
    .jpeg({ quality: 90 })
    .toBuffer()
  const edge = Math.min(unit * 1.1, Math.min(width, height) * 0.06)
  const turn = ((randomFor(recipe.seed, 'print', index).next() - 0.5) * 5).toFixed(2)
  const accent = hex(paletteOf(recipe.seed).accent)
  const at = { x: left, y: top, r: unit * 2 }
  const number = `<circle cx="${at.x}" cy="${at.y}" r="${at.r}" fill="${accent}"/>${text(String(index + 1), { x: at.x, y: at.y + unit * 0.9, size: unit * 2.5, bold: true, anchor: 'middle', fill: '#14161c' })}`
  const places = placesSvg(
    recipe.places.filter(place => place.input === index),
    { frame, unit, seed: recipe.seed },
  )
  return `<g transform="rotate(${turn} ${left + width / 2} ${top + height / 2})">
    <rect x="${left - edge}" y="${top - edge + unit * 0.7}" width="${width + 2 * edge}" height="${height + 2 * edge}" fill="#000" fill-opacity=".35"/>
    <rect x="${left - edge}" y="${top - edge}" width="${width + 2 * edge}" height="${height + 2 * edge}" fill="#fff"/>
    <image x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="none" href="data:image/jpeg;base64,${picture.toString('base64')}"/>
    ${places}${number}</g>`
}
