import { nearest } from './nearest.ts'

/** How many known words a hint lists. */
const mostListed = 40

/**
 * The hint for an unknown word: the nearest known word, else all known words when they are few, else undefined.
 * `listed` are the words to list when there are too many known words to read.
 */
export function didYouMean(
  word: string,
  known: readonly string[],
  listed: readonly string[] = known,
): string | undefined {
  const near = nearest(word, known)
  if (near !== undefined) return `did you mean ${near}?`
  return listed.length > 0 && listed.length <= mostListed ? `known are ${listed.join(', ')}` : undefined
}
