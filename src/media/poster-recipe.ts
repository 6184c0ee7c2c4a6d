import type { PosterRecipe, Recipe } from './recipe.ts'

/** A small picture of the first file that can be seen: of the picture itself, or of a video's first picture; undefined for sounds alone. */
export function posterOf(recipes: readonly Recipe[]): PosterRecipe | undefined {
  for (const recipe of recipes) {
    if (recipe.kind === 'poster') return recipe
    if (recipe.kind !== 'sound') return { kind: 'poster', of: recipe }
  }
  return undefined
}
