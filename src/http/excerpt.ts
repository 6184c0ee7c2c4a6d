/** The most that a task keeps of one text of its request, in UTF-16 units (A-long-texts). */
export const longestKept = 20_000

/**
 * The beginning of a text, as a text of its own: the engine's slices keep the whole of what they were cut from alive.
 * No pair of surrogates is halved.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text
  const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(most - 1))
  return Buffer.from(text.slice(0, isHalved ? most - 1 : most)).toString()
}
