import { type Lexicon, lexiconOf, type Phrase, type WordTable, wordTables } from './lexicon.ts'
import { fold, formsOf, hasEnding, longestEnding, partsOf, type Token, tokensOf } from './tokens.ts'

/** A word that was found in a prompt: its meaning and its place in the folded text. */
export interface Found<T> {
  is: T
  start: number
  end: number
}

/** Only this many characters of a prompt are read. */
const longestRead = 5_000

/**
 * All rows of a table that a prompt names: by sentence, then the highest rank, then the first in the text. A word inside a longer one
 * ("dog" in "hot dog") does not count.
 */
export function matches<T>(table: WordTable<T>, prompt: string): Found<T>[] {
  const read = readPrompt(prompt)
  const lexicon = lexiconOf(table)
  const hits: Hit[] = []
  read.tokens.forEach((token, place) => {
    hits.push(...hitsIn(lexicon, token), ...phraseHits(lexicon, read, place))
  })
  const sentence = sentencesOf(read.text)
  return outermost(hits)
    .flatMap(({ row, start, end }) => {
      const found = table.rows[row]
      return found ? [{ is: found.is, rank: found.rank ?? 0, start, end, sentence: sentence(start) }] : []
    })
    .sort((a, b) => a.sentence - b.sentence || b.rank - a.rank || a.start - b.start)
}

/** The rows of a table that a prompt names as things to be seen: not the people of "no people", nor the cars of "ohne Autos". */
export function wanted<T>(table: WordTable<T>, prompt: string): Found<T>[] {
  const found = matches(table, prompt)
  const negations = found.length > 0 ? matches(wordTables.negations(), prompt) : []
  if (negations.length === 0) return found
  const { text } = readPrompt(prompt)
  const isNegated = ({ start, end }: Found<T>) =>
    negations.some(no =>
      no.is === 'before'
        ? no.end <= start && leads.test(text.slice(no.end, start)) && !isInThe(text, no)
        : end <= no.start && follows.test(text.slice(end, no.start)),
    )
  return found.filter(each => !isNegated(each))
}

/** Between a negation and its noun: at most one word, and the first of two nouns. Thai has spaces between sentences only. */
const leads =
  /^\s*(?!\p{Script=Thai})(?:[\p{L}\p{M}]+\s+)?(?:(?:or|nor|oder|ou|ni|или)\s+(?:[\p{L}\p{M}]+\s+)?)?$/u
/** Between a noun and its negation: particles of Japanese and Korean. */
const follows = /^(?:[がはもの이가은는도]|들이)?\s*$/

/** "No" is "in the" in Portuguese. */
function isInThe(text: string, { start, end }: Found<unknown>): boolean {
  return text.slice(start, end) === 'no' && /(?<!\p{L})(?:uma?|da|das|dos|com|em|na|o|e)(?!\p{L})/u.test(text)
}

interface ReadPrompt {
  prompt: string
  /** The part that is read, folded. */
  text: string
  tokens: readonly Token[]
}

/** The prompt that was read last. The words of a scene are looked up in several tables, which need the same tokens. */
let lastRead: ReadPrompt | undefined

function readPrompt(prompt: string): ReadPrompt {
  if (lastRead?.prompt === prompt) return lastRead
  const text = fold(prompt.slice(0, longestRead))
  lastRead = { prompt, text, tokens: tokensOf(text) }
  return lastRead
}

interface Hit {
  row: number
  start: number
  end: number
}

/** Words of a token. */
function hitsIn({ words, stems }: Lexicon, token: Token): Hit[] {
  const { start, end, text } = token
  if (token.script === 'han' || token.script === 'korean')
    return partsOf(token).flatMap(({ from, part }) => {
      const row = words.get(part)
      return row === undefined ? [] : [{ row, start: start + from, end: start + from + part.length }]
    })
  for (const form of formsOf(token)) {
    const row = words.get(form)
    if (row !== undefined) return [{ row, start, end }]
  }
  const shortest = Math.max(2, text.length - longestEnding(text))
  for (let length = text.length; length >= shortest; length--) {
    const row = stems.get(text.slice(0, length))
    if (row !== undefined) return [{ row, start, end }]
  }
  return []
}

/** Phrases that begin with the token at a place, and Thai words that were split. */
function phraseHits(
  { words, phrases }: Lexicon,
  { text, tokens }: ReadPrompt,
  place: number,
): readonly Hit[] {
  const first = tokens[place]
  if (!first) return none
  if (first.script === 'thai') return splitWordHits(words, tokens.slice(place, place + 4))
  const begun = formsOf(first).flatMap(form => phrases.get(form) ?? [])
  if (begun.length === 0) return none
  const isNext = (at: number) => /^[\s'’-]*$/.test(text.slice(tokens[at - 1]?.end, tokens[at]?.start))
  const fits = ({ rest, ending }: Phrase) =>
    rest.every((word, i) => {
      const token = tokens[place + i + 1]
      if (!token || !isNext(place + i + 1)) return false
      return token.text === word || (i === rest.length - 1 && hasEnding(token, word, ending))
    })
  return begun.filter(fits).map(({ rest, row }) => ({
    row,
    start: first.start,
    end: tokens[place + rest.length]?.end ?? first.end,
  }))
}

const none: readonly never[] = []

/** Words that begin with the first of these Thai tokens and end with a later one. */
function splitWordHits(words: Lexicon['words'], tokens: readonly Token[]): Hit[] {
  const [first] = tokens
  if (!first) return []
  return [2, 3, 4].flatMap(count => {
    const joined = tokens
      .slice(0, count)
      .map(token => token.text)
      .join('')
    const row = words.get(joined)
    return row === undefined ? [] : [{ row, start: first.start, end: first.start + joined.length }]
  })
}

/** The hits that are not inside a longer one. */
function outermost(hits: readonly Hit[]): Hit[] {
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end)
  let reach: Hit = { row: -1, start: -1, end: -1 }
  return sorted.filter(hit => {
    const isInside = hit.end <= reach.end && hit.end - hit.start < reach.end - reach.start
    if (hit.end > reach.end) reach = hit
    return !isInside
  })
}

/** The number of sentences that end before a position; positions only grow. A line break ends a sentence. */
function sentencesOf(text: string): (position: number) => number {
  const ends = [...text.matchAll(/[.!?;؟।](?=\s|$)|[\n\r\u2028\u2029。！？；]/g)].map(({ index }) => index)
  let passed = 0
  return position => {
    while ((ends[passed] ?? Number.POSITIVE_INFINITY) < position) passed++
    return passed
  }
}
