import type { DrawnRecipe, KeptRecipe } from './recipe.ts'
import { renderImage } from './render-image.ts'
import { renderLastFrame, renderVideo, type Sources } from './render-video.ts'
import { renderSound } from './sound/render-trial.ts'
import { writeWhole } from './write-whole.ts'

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
