import { closest, distance } from 'fastest-levenshtein'

/** The known words that may be meant by `word`, nearest first. */
export function nearestOf(word: string, known: readonly string[]): string[] {
  return known
    .map(candidate => ({ candidate, far: distance(word, candidate) }))
    .filter(({ candidate, far }) => far <= reach(candidate))
    .sort((one, other) => one.far - other.far)
    .map(({ candidate }) => candidate)
}

/** The known word that is most likely meant by `word`; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(word, known)
  return distance(word, candidate) <= reach(candidate) ? candidate : undefined
}

/** How many letters may differ from a word. */
function reach({ length }: string): number {
  return Math.max(2, Math.floor(length / 2))
}
