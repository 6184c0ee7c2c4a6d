/** The words of a search, in lower case; none for an empty search. */
export function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether a text contains every word. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase()
  return words.every(word => low.includes(word))
}

/** Items by a key, in the order in which the keys came. */
export function groupsOf<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** How often findings were made, all together. */
export function timesOf(findings: readonly { count: number }[]): number {
  return findings.reduce((sum, { count }) => sum + count, 0)
}

/** The first index for which something is true, when it is true for all later ones; the length when there is none. */
export function firstWhere(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}
