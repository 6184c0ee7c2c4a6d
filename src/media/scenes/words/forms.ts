import type { Ending } from './lexicon.ts'
import type { Token } from './tokens.ts'

/** A word as it is written, and without the particles that its language attaches to nouns. */
export function formsOf({ text, script }: Token): string[] {
  if (script === 'arabic') return stripped(text, arabic)
  return script === 'hebrew' ? stripped(text, hebrew) : [text]
}

interface Attached {
  before: readonly string[]
  after: readonly string[]
}

/** "And", "the", "in the", "like the", "for the", and plural or owner. */
const arabic: Attached = {
  before: ['', 'و', 'ال', 'وال', 'بال', 'وبال', 'كال', 'فال', 'لل', 'ولل'],
  after: ['', 'ات', 'ان', 'ين', 'ون', 'ه', 'ها', 'نا', 'ي', 'ا'],
}

/** "And", "the", "in", "to", "from the", "that the", and the plural. */
const hebrew: Attached = {
  before: ['', 'ו', 'ה', 'ב', 'ל', 'מה', 'שה', 'וה', 'וב', 'ול'],
  after: ['', 'ים', 'ות'],
}

function stripped(text: string, { before, after }: Attached): string[] {
  return before
    .filter(start => text.startsWith(start))
    .flatMap(start => {
      const rest = text.slice(start.length)
      return after.filter(end => rest.endsWith(end)).map(end => rest.slice(0, rest.length - end.length))
    })
    .filter(form => form.length > 1)
}

/** Endings are longer in Slavic, Greek and Indian languages than in those of Latin letters. */
export function longestEnding(text: string): number {
  return /^\p{Script=Latin}/u.test(text) ? 3 : 6
}

/** Whether a token is a word with an ending of this kind. Korean attaches particles to any word. */
export function hasEnding({ text, script }: Token, word: string, ending: Ending): boolean {
  if (!text.startsWith(word)) return false
  const added = text.slice(word.length)
  if (script === 'korean') return added.length <= 3
  return ending === 'plural'
    ? added === 's' || added === 'es'
    : ending === 'any' && added.length <= longestEnding(text)
}

/** No word of these scripts has more characters. */
const longest = 8

/** Every part of a token that may be a word: for scripts that write words without spaces, and for Korean words with particles. */
export function partsOf(token: Token): { from: number; part: string }[] {
  const parts: { from: number; part: string }[] = []
  for (let from = 0; from < token.text.length; from++)
    for (let length = 1; length <= longest && from + length <= token.text.length; length++)
      if (mayBeWord(token, from, length)) parts.push({ from, part: token.text.slice(from, from + length) })
  return parts
}

const particles =
  /^(?:이|가|을|를|은|는|의|에|에서|에는|으로|로|와|과|도|만|위|위에|위의|속|속의|속에|들|들이|들은)?$/

function mayBeWord({ text, script }: Token, from: number, length: number): boolean {
  const [part, rest] = [text.slice(from, from + length), text.slice(from + length)]
  // Short Korean words are too often parts of others: they must begin a word.
  if (script === 'korean')
    return length > 2 || (from === 0 && (length === 2 ? rest.length <= 3 : particles.test(rest)))
  if (!katakana.test(part)) return true
  return !katakana.test(text.charAt(from - 1)) && !katakana.test(rest.charAt(0))
}

const katakana = /^[\u30a0-\u30ff]+$/
