import type { PosterRecipe, Recipe } from './recipe.ts'

/** The recipe of a small picture of the first picture or video (its first frame); undefined when there are only sounds. */
export function posterOf(recipes: readonly Recipe[]): PosterRecipe | undefined {
  for (const recipe of recipes) {
    if (recipe.kind === 'poster') return recipe
    if (recipe.kind !== 'sound') return { kind: 'poster', of: recipe }
  }
  return undefined
}
