/** How many levels a request or a document may have. */
export const deepestJson = 64

/** Shorter texts cannot be nested deeply enough to be a problem, so they are not scanned. */
const harmlessLength = 512

/**
 * Whether a JSON text is nested deeper than `most` levels, 64 or more. Functions that walk a value would exhaust the stack on some
 * of these texts.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  return text.length > harmlessLength && depthOf(text) > most
}

/** How deeply a JSON text is nested, without parsing it. */
function depthOf(text: string): number {
  let [depth, most, inString] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 92) i++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) most = Math.max(most, ++depth)
    else if (code === 125 || code === 93) depth--
  }
  return most
}

/** Whether a value is nested deeper than `most` levels. It walks no deeper than that, so that it is safe for every value. */
export function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some(entry => isDeeper(entry, most - 1))
}
