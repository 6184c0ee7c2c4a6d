import type { Sharp } from 'sharp'
import { registerFonts } from './drawing/font.ts'
import { layoutOf } from './drawing/frame-layout.ts'
import { captionSvg } from './images/caption.ts'
import { drawEdit } from './images/edit.ts'
import { drawFusion } from './images/fusion.ts'
import { openInput } from './images/input-picture.ts'
import { placesSvg } from './images/places.ts'
import { svg } from './images/svg.ts'
import type { ImageRecipe } from './recipe.ts'
import type { Sources } from './render-video.ts'
import { drawScene, sceneWords } from './scenes/scene.ts'

/** A picture: drawn from nothing, an edit of one input, or a fusion of several. Throws the signal's reason when aborted. */
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

async function drawPicture(recipe: ImageRecipe): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const { width, height, seed, prompt } = recipe
  const caption = captionSvg({
    ...recipe,
    facts: [`${width}×${height}`, `seed ${seed}`],
    // A tall picture has room for more.
    maxLines: Math.min(14, Math.round(6 * Math.max(1, height / width))),
    largest: 5.4,
    ground: 'shade',
  })
  const places = placesSvg(recipe.places, {
    frame: { left: 0, top: 0, width, height },
    unit: layoutOf(recipe).unit,
    seed,
  })
  const scene = drawScene({ words: sceneWords(prompt, seed), seed, width, height, margin: 0 })
  return sharp(Buffer.from(svg(recipe, scene.svg + caption + places)))
}

/** PNG with little squeezing: a smaller file would cost more time than it saves on one machine. */
function encode(
  picture: Sharp,
  { format, transparent }: { format: 'jpeg' | 'png'; transparent: boolean },
): Promise<Buffer> {
  const drawn = transparent ? picture : picture.flatten({ background: '#ffffff' })
  if (format === 'jpeg') return drawn.jpeg({ quality: 90 }).toBuffer()
  return (transparent ? drawn : drawn.removeAlpha()).png({ compressionLevel: 4 }).toBuffer()
}
