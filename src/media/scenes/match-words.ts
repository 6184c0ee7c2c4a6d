import type { WordRow } from './word-table.ts'

/** A word that was found in a prompt: what it stands for and where it is. */
export interface Found<T> {
  is: T
  start: number
  end: number
}

/** Finds all rows of a table in a prompt, the highest rank first, then the first in the text. */
export function matches<T>(rows: readonly WordRow<T>[], prompt: string): Found<T>[] {
  const text = prompt.toLowerCase()
  return rows
    .flatMap(row => {
      const match = patternOf(row).exec(text)
      return match
        ? [{ is: row.is, rank: row.rank ?? 0, start: match.index, end: match.index + match[0].length }]
        : []
    })
    .sort((a, b) => b.rank - a.rank || a.start - b.start || b.end - a.end)
}

/** Patterns by row: each takes some microseconds to build, and a prompt is compared with all of them. */
const patterns = new WeakMap<WordRow<unknown>, RegExp>()

function patternOf(row: WordRow<unknown>): RegExp {
  const known = patterns.get(row)
  if (known) return known
  const pattern = new RegExp(row.words.split(' ').map(wordPattern).join('|'), 'u')
  patterns.set(row, pattern)
  return pattern
}

/** Scripts without spaces between words are found anywhere, others as whole words. */
function wordPattern(word: string): string {
  if (/[\u3040-\u9fff\uac00-\ud7af]/.test(word)) return word
  const isStem = word.endsWith('*')
  const body = (isStem ? word.slice(0, -1) : word).replaceAll('_', '\\s+')
  return `(?<!\\p{L})${body}${isStem ? '\\p{L}*' : ''}(?!\\p{L})`
}
