export type Ending = 'none' | 'plural' | 'any'

/** How the words of a script are found: between spaces, with particles attached, anywhere, or by a dictionary. */
export type Script = 'spaced' | 'arabic' | 'hebrew' | 'korean' | 'han' | 'thai'

/** A run of letters of one script, and where it is in the text. In Thai it is one word. */
export interface Token {
  text: string
  script: Script
  start: number
  end: number
}

const han = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々'
const other = `(?![${han}\\p{Script=Hangul}\\p{Script=Thai}])[\\p{L}\\p{M}]`
const runs = new RegExp(
  `(?<han>[${han}]+)|(?<korean>\\p{Script=Hangul}+)|(?<thai>\\p{Script=Thai}+)|(?:${other})+`,
  'gu',
)

/** Splits a folded text into tokens. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(runs)].flatMap(({ 0: run, index, groups }) => {
    if (groups?.thai) return thaiWords(run, index)
    const script = groups?.han ? 'han' : groups?.korean ? 'korean' : letterScript(run)
    return [{ text: run, script, start: index, end: index + run.length }]
  })
}

function letterScript(run: string): Script {
  const code = run.charCodeAt(0)
  if (code >= 0x600 && code <= 0x6ff) return 'arabic'
  return code >= 0x590 && code <= 0x5ff ? 'hebrew' : 'spaced'
}

function thaiWords(run: string, from: number): Token[] {
  const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(run)]
  return words.map(({ segment, index }) => {
    const start = from + index
    return { text: segment, script: 'thai', start, end: start + segment.length }
  })
}

/**
 * A prompt, or words of a table, in the form in which they are compared: small letters, composed, without the accents of Greek, the vowel points of
 * Arabic and Hebrew, and with one form of letters that are often exchanged (ё is е, أ is ا).
 */
export function fold(text: string): string {
  const plain = text.normalize('NFC').toLowerCase()
  return /[\u0370-\u06ff\u1f00-\u1fff]/.test(plain) ? foldScripts(plain) : plain
}

function foldScripts(text: string): string {
  return text
    .replace(/[\u0370-\u03ff\u1f00-\u1fff]+/g, greek => greek.normalize('NFD').replace(/\p{M}/gu, ''))
    .replace(/[\u0591-\u05c7\u0640\u064b-\u0652\u0670]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/ё/g, 'е')
}

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
