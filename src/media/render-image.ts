import type { Sharp } from 'sharp'
import { registerFonts } from './drawing/font.ts'
import { drawEdit } from './images/edit.ts'
import { drawFusion } from './images/fusion.ts'
import { openInput } from './images/input-picture.ts'
import { drawPicture } from './images/picture.ts'
import type { ImageRecipe } from './recipe.ts'
import type { Sources } from './render-video.ts'

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
function encode(
  picture: Sharp,
  { format, transparent }: { format: 'jpeg' | 'png'; transparent: boolean },
): Promise<Buffer> {
  const drawn = transparent ? picture : picture.flatten({ background: '#ffffff' })
  if (format === 'jpeg') return drawn.jpeg({ quality: 90 }).toBuffer()
  return (transparent ? drawn : drawn.removeAlpha()).png({ compressionLevel: 4 }).toBuffer()
}
