import { late, readFixture } from '../../../emulator/ground.ts'
import { type Rgb, rgb } from '../../drawing/colour.ts'
import type { Season, TimeOfDay } from '../light.ts'
import { type Ending, fold } from './tokens.ts'

/** The subject of the picture, and the colour that the prompt names for it. */
export interface SubjectWord {
  kind: SubjectKind
  /** The emoji of a sticker. */
  sign?: string
  colour?: Rgb
}

/** What each place shows when the prompt names only the subject. */
const subjectsOf = {
  interior: ['cat', 'dog'],
  field: ['rabbit', 'horse', 'butterfly', 'train', 'house', 'tree'],
  forest: ['fox', 'bear', 'panda', 'deer'],
  desert: ['lion', 'elephant'],
  mountains: ['wolf', 'castle', 'temple'],
  clouds: ['bird', 'plane', 'balloon'],
  underwater: ['fish', 'whale'],
  city: ['person', 'bicycle', 'car'],
  space: ['astronaut', 'rocket'],
  sea: ['boat', 'lighthouse'],
  studio: ['portrait', 'robot', 'bottle', 'cup', 'flowers', 'fruit', 'sticker'],
} as const

/** The places that scenes are drawn of. */
export type ScenePlace = keyof typeof subjectsOf | 'lake' | 'village' | 'snow'

export type SubjectKind = (typeof subjectsOf)[keyof typeof subjectsOf][number]

const homes = new Map(
  Object.entries(subjectsOf).flatMap(([place, kinds]) => kinds.map(kind => [kind, place as ScenePlace])),
)

/** Where a subject is shown when the prompt names no place. */
export function homeOf(kind: SubjectKind): ScenePlace {
  return homes.get(kind) as ScenePlace
}

export type Style = 'monochrome' | 'sepia'

/** What an edit removes when it is not one thing: every thing, what is around the subject, letters, or what is behind the subject. */
export type Target = 'all' | 'background' | 'text' | 'behind'

export type Side = 'left' | 'right' | 'top' | 'foot' | 'middle'

/**
 * Words of prompts and what they mean, with spaces between the words of a list. In a word `_` is a space or a hyphen, `+` at its end
 * an English plural, `*` at its end any ending of a few letters. Of two rows that fit, the one in the earlier sentence counts, then
 * the one of the higher rank, then the one whose word comes first. A word appears once in a table, also when two languages share it.
 */
interface WordRow<T> {
  is: T
  /** English, German, Spanish, French, Italian, Portuguese, Vietnamese, Greek, Russian. */
  words: string
  /** Chinese, Japanese, Korean, Arabic, Hebrew, Hindi, Thai. */
  others?: string
  /** 0 when absent. */
  rank?: number
}

/** Words that contain words of a table and mean something else: their parts are not matched. */
export interface WordTable<T> {
  rows: readonly WordRow<T>[]
  not: string
}

/** The tables in `fixtures/words/`, each read on first use. */
export const wordTables = {
  colours: late<WordTable<Rgb>>(() => {
    const { rows, not } = read<string>('colours')
    return { rows: rows.map(row => ({ ...row, is: rgb(row.is) })), not }
  }),
  /** What the emoji font can draw, by the annotations of Unicode CLDR (`build/emoji-words.mjs`). */
  emoji: late(() => read<string>('emoji')),
  /** Words that say that what comes after or before them is not to be seen. */
  negations: late(() => read<'before' | 'after'>('negations')),
  places: late(() => read<ScenePlace>('places')),
  seasons: late(() => read<Season>('seasons')),
  styles: late(() => read<Style>('styles')),
  subjects: late(() => read<SubjectKind>('subjects')),
  times: late(() => read<TimeOfDay>('times')),
  weather: late(() => read<'rain' | 'white'>('weather')),
  removals: late(() => read<'remove'>('removals')),
  removalTargets: late(() => read<Target>('removal-targets')),
  removalSides: late(() => read<Side>('removal-sides')),
}

function read<T>(name: string): WordTable<T> {
  return readFixture(`words/${name}.json`)
}

/** Several words in a row. The last one may have the ending that its table allows. */
export interface Phrase {
  rest: readonly string[]
  ending: Ending
  row: number
}

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
