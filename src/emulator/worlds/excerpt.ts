/** The most that a task keeps of one text of its request, in UTF-16 units (A-long-texts). */
export const longestKept = 20_000

/**
 * A copy of the beginning of a text. A copy, since a slice in V8 keeps the whole original text in memory.
 * It does not split a pair of surrogates.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text
  const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(most - 1))
  return Buffer.from(text.slice(0, isHalved ? most - 1 : most)).toString()
}

const measured = 'characters, sha256'

/** What stands for inline media in a body that the journal keeps: their length in UTF-16 units, and the start of their SHA-256. */
export function mediaNote(length: number, digest: string): string {
  return `…(${length} ${measured} ${digest})`
}

/** The form of such a note. */
export const mediaNoteForm = new RegExp(`…\\(\\d+ ${measured} [0-9a-f]{16}\\)`)
