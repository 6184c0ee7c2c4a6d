import type { Sharp } from 'sharp'
import { layoutOf, svg } from '../drawing/svg.ts'
import { loadSharp } from '../pixels.ts'
import type { ImageRecipe } from '../recipe.ts'
import { drawScene, type SceneDrawing, sceneWords } from '../scenes/scene.ts'
import { type DrawnCaption, drawCaption } from './caption.ts'
import { placesSvg } from './places.ts'

/** A picture that is drawn from its prompt alone: the scene above, the caption below it. */
export async function drawPicture(recipe: ImageRecipe): Promise<Sharp> {
  const sharp = await loadSharp()
  const { width, height, seed, places } = recipe
  const parts = composePicture(recipe)
  const frame = { left: 0, top: 0, width, height }
  const marks = placesSvg(places, { frame, unit: layoutOf(recipe).unit, seed })
  return sharp(
    Buffer.from(svg(recipe, parts.scene.svg + shadeSvg(recipe, parts) + parts.caption.svg + marks)),
  )
}

/** The parts of a drawn picture. The scene ends where the caption begins, so that the caption does not cover the subject. */
interface PictureParts {
  scene: SceneDrawing
  /** Rows of the scene, in pixels from the upper edge. */
  sceneHeight: number
  caption: DrawnCaption
}

/** Lays out a drawn picture: a longer caption leaves the scene fewer rows. */
export function composePicture(recipe: ImageRecipe): PictureParts {
  const { width, height, seed, prompt } = recipe
  const caption = drawCaption({
    ...recipe,
    facts: [`${width}×${height}`, `seed ${seed}`],
    // A tall picture may have more lines.
    maxLines: Math.min(14, Math.round(6 * Math.max(1, height / width))),
    largest: 4.6,
    ground: 'none',
  })
  const sceneHeight = Math.min(height, Math.ceil(caption.top + layoutOf(recipe).unit))
  const scene = drawScene({
    words: sceneWords(prompt, seed),
    seed,
    width,
    height: sceneHeight,
    margin: 0,
    below: height - sceneHeight,
  })
  return { scene, sceneHeight, caption }
}

/** The shade under the caption begins in the lowest tenth of the scene, or below the subject when the subject reaches into that tenth. */
function shadeSvg({ width, height }: ImageRecipe, { scene, sceneHeight }: PictureParts): string {
  const from = Math.max(sceneHeight * 0.9, scene.subject?.bottom ?? 0)
  const stop = (row: number, opacity: number) =>
    `<stop offset="${(row - from) / (height - from)}" stop-opacity="${opacity}"/>`
  const stops = stop(from, 0) + stop(sceneHeight, 0.6) + stop(height, 0.76)
  return `<defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient></defs>
    <rect y="${from}" width="${width}" height="${height - from}" fill="url(#shade)"/>`
}
