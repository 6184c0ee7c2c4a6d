import { fold } from './tokens.ts'
import type { WordTable } from './word-tables.ts'

/** Several words in a row. The last one may have the ending that its table allows. */
export interface Phrase {
  rest: readonly string[]
  ending: Ending
  row: number
}

export type Ending = 'none' | 'plural' | 'any'

/** The words of a table, grouped by the way of looking them up. A row is given by its number in the table; -1 is for words that mean something else. */
export interface Lexicon {
  words: Map<string, number>
  stems: Map<string, number>
  /** By the first word. */
  phrases: Map<string, Phrase[]>
}

/** One lexicon for each table. Building all of them takes about 10 ms, and each prompt is compared with all. */
const lexicons = new WeakMap<WordTable<unknown>, Lexicon>()

/** The lexicon of a table, built on first use. When two rows have the same word, it belongs to the row of the higher rank, then to the first. */
export function lexiconOf(table: WordTable<unknown>): Lexicon {
  const known = lexicons.get(table)
  if (known) return known
  const lexicon: Lexicon = { words: new Map(), stems: new Map(), phrases: new Map() }
  addAll(lexicon, table.not, -1)
  const byRank = table.rows
    .map((row, number) => ({ row, number }))
    .sort((a, b) => (b.row.rank ?? 0) - (a.row.rank ?? 0))
  for (const { row, number } of byRank) addAll(lexicon, `${row.words} ${row.others ?? ''}`, number)
  lexicons.set(table, lexicon)
  return lexicon
}

function addAll(lexicon: Lexicon, list: string, row: number): void {
  for (const word of fold(list).split(' ')) if (word !== '') add(lexicon, word, row)
}

const endings: Readonly<Record<string, Ending>> = { '+': 'plural', '*': 'any' }

function add({ words, stems, phrases }: Lexicon, word: string, row: number): void {
  const ending = endings[word.slice(-1)] ?? 'none'
  const body = ending === 'none' ? word : word.slice(0, -1)
  if (/[*+]/.test(body)) throw new Error(`${word}: * and + are allowed at the end of a word only`)
  const parts = /[\u0e00-\u0e7f]/.test(body) ? [body] : body.split(/[_-]/)
  if (parts.length > 1) {
    const [first = ''] = parts
    const phrase = { rest: parts.slice(1), ending, row }
    const list = phrases.get(first)
    if (list) list.push(phrase)
    else phrases.set(first, [phrase])
  } else if (ending === 'any') setFirst(stems, body, row)
  else {
    setFirst(words, body, row)
    if (ending !== 'plural') return
    for (const form of [`${body}s`, `${body}es`, body.replace(/y$/, 'ies')]) setFirst(words, form, row)
  }
}

function setFirst(map: Map<string, number>, key: string, row: number): void {
  if (!map.has(key)) map.set(key, row)
}
