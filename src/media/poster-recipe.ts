import type { Recipe } from './recipe.ts'

/** The longer side of a poster, in px. */
const longestPx = 320

/** A small picture of the first file that can be seen: the picture itself, or the last frame of a video; undefined for sounds alone. */
export function posterOf(recipes: readonly Recipe[]): Recipe | undefined {
  for (const recipe of recipes) {
    const poster = smallOf(recipe)
    if (poster) return poster
  }
  return undefined
}

function smallOf(recipe: Recipe): Recipe | undefined {
  switch (recipe.kind) {
    case 'video':
      return { kind: 'last_frame', of: { ...recipe, ...smaller(recipe) } }
    case 'last_frame':
      return { kind: 'last_frame', of: { ...recipe.of, ...smaller(recipe.of) } }
    case 'image':
      return { ...recipe, ...smaller(recipe) }
    case 'kept':
      return recipe
    case 'sound':
      return undefined
  }
}

/** The same shape with even sides. */
function smaller({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, longestPx / Math.max(width, height))
  const side = (px: number) => Math.max(16, Math.round((px * scale) / 2) * 2)
  return { width: side(width), height: side(height) }
}
