import { hasWords, wordsOf } from '../parts/lists.ts'

/** A command of the palette. */
export interface Command {
  group: string
  title: string
  /** Words by which it is also found. */
  also?: string
  act: () => void
}

/**
 * The commands that contain every word, best first: a title that begins with the words, then a word of it that begins with
 * them, then the rest in its order.
 */
export function matching(commands: readonly Command[], search: string, most: number): Command[] {
  const words = wordsOf(search)
  const ranked = commands
    .filter(({ group, title, also = '' }) => hasWords(`${group} ${title} ${also}`, words))
    .map(command => ({ command, rank: rankOf(command, words) }))
  ranked.sort((a, b) => a.rank - b.rank)
  return ranked.slice(0, most).map(({ command }) => command)
}

function rankOf({ title }: Command, words: readonly string[]): number {
  const text = title.toLowerCase()
  const [first] = words
  if (first === undefined || text.startsWith(words.join(' '))) return 0
  return words.every(word => text.startsWith(word) || text.includes(` ${word}`)) ? 1 : 2
}
