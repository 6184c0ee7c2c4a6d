import type { ImageRecipe } from '../../src/media/render/recipe.ts'
import type { Tool } from '../../src/media/render/tools.ts'

/** A small drawn picture. */
export function pictureRecipe(differences: Partial<ImageRecipe> = {}): ImageRecipe {
  return {
    ...{ kind: 'image', width: 320, height: 200, format: 'png', transparent: false, mark: true, seed: 5 },
    ...{ prompt: 'A boat', inputs: [], places: [] },
    ...differences,
  }
}

/** A program at a path that claims the abilities of ffmpeg. */
export function slowFfmpeg(path: string): Tool {
  const can = { libx264: true, libx265: false, aac: true, mp3: true }
  return { path, source: 'configured', version: '1', can }
}
