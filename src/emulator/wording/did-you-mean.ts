import { closest, distance } from 'fastest-levenshtein'

/** How many known words a hint lists. */
const mostListed = 40

/** The question that ends a message about a wrong word. */
export function suggestion(meant: string): string {
  return `did you mean ${meant}?`
}

/** The same for the nearest known word; undefined when no known word is near. `written` gives the form in which to show it. */
export function nearSuggestion(
  word: string,
  known: readonly string[],
  written: (near: string) => string = near => near,
): string | undefined {
  const near = nearest(word, known)
  return near === undefined ? undefined : suggestion(written(near))
}

/**
 * The hint for an unknown word: the nearest known word, else all known words when they are few, else undefined.
 * `listed` are the words to list when there are too many known words to read.
 */
export function didYouMean(
  word: string,
  known: readonly string[],
  listed: readonly string[] = known,
): string | undefined {
  const near = nearSuggestion(word, known)
  if (near !== undefined) return near
  return listed.length > 0 && listed.length <= mostListed ? `known are ${listed.join(', ')}` : undefined
}

/** The known words that may be meant by `word`, nearest first. */
export function nearestOf(word: string, known: readonly string[]): string[] {
  return known
    .map(candidate => ({ candidate, far: distance(word, candidate) }))
    .filter(({ candidate, far }) => isNear(far, word, candidate))
    .sort((one, other) => one.far - other.far)
    .map(({ candidate }) => candidate)
}

/** The known word that is most likely meant by `word`; undefined when none is near. */
function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(word, known)
  return isNear(distance(word, candidate), word, candidate) ? candidate : undefined
}

/** Whether one word may be meant by another that differs from it in so many letters: at most half of them, or two, and never all. */
function isNear(far: number, word: string, candidate: string): boolean {
  const most = Math.max(2, Math.floor(candidate.length / 2))
  return far <= most && far < Math.max(word.length, candidate.length)
}
