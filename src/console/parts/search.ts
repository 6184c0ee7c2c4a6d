/** The words of a search, in lower case; none for an empty search. */
export function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether a text contains every word. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase()
  return words.every(word => low.includes(word))
}
