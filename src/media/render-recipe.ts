import type { Sharp } from 'sharp'
import { registerFonts } from './drawing/font.ts'
import { drawEdit } from './images/edit.ts'
import { drawFusion } from './images/fusion.ts'
import { openInput } from './images/input-picture.ts'
import { drawPicture } from './images/picture.ts'
import { writeWhole } from './kept-files.ts'
import type { DrawnRecipe, ImageRecipe, KeptRecipe } from './recipe.ts'
import { renderLastFrame, renderVideo, type Sources } from './render-video.ts'
import { renderSound } from './sound/render-trial.ts'

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
function encode(
  picture: Sharp,
  { format, transparent }: { format: 'jpeg' | 'png'; transparent: boolean },
): Promise<Buffer> {
  const drawn = transparent ? picture : picture.flatten({ background: '#ffffff' })
  if (format === 'jpeg') return drawn.jpeg({ quality: 90 }).toBuffer()
  return (transparent ? drawn : drawn.removeAlpha()).png({ compressionLevel: 4 }).toBuffer()
}
