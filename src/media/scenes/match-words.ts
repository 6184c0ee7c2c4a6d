import type { WordRow } from './word-table.ts'

/** A word that was found in a prompt: what it stands for and where it is. */
export interface Found<T> {
  is: T
  start: number
  end: number
}

/** Finds all rows of a table in a prompt, the highest rank first, then the first in the text. */
export function matches<T>(rows: readonly WordRow<T>[], prompt: string): Found<T>[] {
  const text = prompt.toLowerCase().replace(/\s+/g, ' ')
  return rows
    .flatMap(({ is, words, rank = 0 }) => {
      const stretch = firstOf(words.split(' '), text)
      return stretch ? [{ is, rank, ...stretch }] : []
    })
    .sort((a, b) => b.rank - a.rank || a.start - b.start || b.end - a.end)
}

interface Stretch {
  start: number
  end: number
}

/** The first place in the text where one of the words is. Patterns would do the same, but compiling them takes 0.2 s at first. */
function firstOf(words: readonly string[], text: string): Stretch | undefined {
  let first: Stretch | undefined
  for (const word of words) {
    const found = find(word, text)
    if (found && (!first || found.start < first.start)) first = found
  }
  return first
}

/** Scripts without spaces between words are found anywhere, others as whole words. */
function find(word: string, text: string): Stretch | undefined {
  const isStem = word.endsWith('*')
  const body = (isStem ? word.slice(0, -1) : word).replaceAll('_', ' ')
  let start = text.indexOf(body)
  if (start < 0) return undefined
  if (/[\u3040-\u9fff\uac00-\ud7af]/.test(word)) return { start, end: start + body.length }
  for (; start >= 0; start = text.indexOf(body, start + 1)) {
    const end = start + body.length
    const rest = lettersAfter(text, end)
    if (!isLetterBefore(text, start) && (isStem || rest === 0)) return { start, end: end + rest }
  }
  return undefined
}

function isLetterBefore(text: string, at: number): boolean {
  return /\p{L}$/u.test(text.slice(Math.max(0, at - 2), at))
}

function lettersAfter(text: string, at: number): number {
  return /^\p{L}*/u.exec(text.slice(at))?.[0].length ?? 0
}
