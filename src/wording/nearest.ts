import { closest, distance } from 'fastest-levenshtein'

/** The known word that is most likely meant by `word`; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(word, known)
  const reach = Math.max(2, Math.floor(candidate.length / 2))
  return distance(word, candidate) <= reach ? candidate : undefined
}
