import type { Sharp } from 'sharp'
import { layoutOf, registerFonts, svg } from '../drawing/svg.ts'
import { writeWhole } from '../files/kept-files.ts'
import { type DrawnCaption, drawCaption } from '../images/caption.ts'
import { drawEdit } from '../images/edit.ts'
import { drawFusion } from '../images/fusion.ts'
import { openInput } from '../images/input-picture.ts'
import { placesSvg } from '../images/places.ts'
import { drawScene, type SceneDrawing, sceneWords } from '../scenes/scene.ts'
import { renderSound } from '../sound/sounds.ts'
import { loadSharp } from './pixels.ts'
import type { DrawnRecipe, ImageRecipe, KeptRecipe } from './recipe.ts'
import { renderLastFrame, renderVideo, type Sources } from './render-video.ts'

/** Renders a recipe into a file, which appears only when it is complete. */
export async function renderRecipe(recipe: DrawnRecipe, sources: Sources, file: string): Promise<void> {
  switch (recipe.kind) {
    case 'video':
      return renderVideo(recipe, sources, file)
    case 'last_frame':
      return writeWhole(file, await renderLastFrame(recipe, sources))
    case 'sound':
      return writeWhole(file, await renderSound(recipe, sources))
    case 'image':
      return writeWhole(file, await renderImage(recipe, sources))
    case 'kept':
      return writeWhole(file, await keptPicture(recipe, sources))
  }
}

async function keptPicture({ content }: KeptRecipe, sources: Sources): Promise<Buffer> {
  const bytes = await sources.kept(content)
  if (!bytes) throw new Error(`the picture ${content} is no longer in the library`)
  return bytes
}

/** Renders a picture: a drawn scene, an edit of one input, or a fusion of several inputs. Throws the signal's reason when aborted. */
export async function renderImage(recipe: ImageRecipe, sources: Sources): Promise<Buffer> {
  await registerFonts()
  const drawn = await draw(recipe, sources)
  sources.signal?.throwIfAborted()
  return encode(drawn, recipe)
}

async function draw(recipe: ImageRecipe, sources: Sources): Promise<Sharp> {
  const inputs = await Promise.all(recipe.inputs.map(input => openInput(input, sources)))
  const [first] = inputs
  if (!first) return drawPicture(recipe)
  return inputs.length === 1 ? drawEdit(recipe, first) : drawFusion(recipe, inputs)
}

/** PNG with weak compression: a smaller file would cost more time than it saves on one machine. */
function encode(picture: Sharp, { format, transparent }: ImageRecipe): Promise<Buffer> {
  const drawn = transparent ? picture : picture.flatten({ background: '#ffffff' })
  if (format === 'jpeg') return drawn.jpeg({ quality: 90 }).toBuffer()
  return (transparent ? drawn : drawn.removeAlpha()).png({ compressionLevel: 4 }).toBuffer()
}

/** A picture that is drawn from its prompt alone: the scene above, the caption below it. */
async function drawPicture(recipe: ImageRecipe): Promise<Sharp> {
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
