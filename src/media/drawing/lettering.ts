import { late, readFixture } from '../../emulator/ground.ts'

/** Replaces a character that no font of the package has. */
const unknown = '·'

/** Characters without a shape. The two joiners are kept, because they change the shape of their neighbours. */
const shapeless = /(?![\n\u200C\u200D])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Variation_Selector}\uFFFD]|\u20E3)/gu

/**
 * The text as the fonts of the package can draw it. Lines are kept, with at most one empty line between them; other white space becomes one
 * space. A sign that the fonts lack is written in its simpler form when it has one (𝒜 is A), else as a dot (·).
 */
export function printable(text: string): string {
  return known(text.normalize('NFC'))
    .replace(/ *\n */g, '\n')
    .replace(/ +/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function known(text: string): string {
  const plain = text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\s/g, ' ')
    .replace(shapeless, '')
  let written = ''
  for (const sign of plain) written += sign === '\n' || isKnown(sign) ? sign : simpler(sign)
  return written
}

function simpler(sign: string): string {
  const parts = [...sign.normalize('NFKD')]
  if (parts.every(isKnown)) return parts.join('')
  return /\p{M}/u.test(sign) ? '' : unknown
}

function isKnown(sign: string): boolean {
  return signWidth(sign) !== undefined
}

/** Consecutive characters of equal width: the first one, how many, and their width in thousandths of the font size. */
interface SignRun {
  first: number
  count: number
  width: number
}

/** The runs of the fonts as their file has them, in columns: between one run and the next lie so many characters that no font has. */
interface SignColumns {
  gaps: number[]
  counts: number[]
  widths: number[]
}

/** The table of widths, read on first use. Reading it takes some milliseconds, and drawings look up every character. */
const runs = late((): readonly SignRun[] => {
  const { gaps, counts, widths } = readFixture<SignColumns>('font/signs.json')
  let next = 0
  return counts.map((count, i) => {
    const first = next + (gaps[i] ?? 0)
    next = first + count
    return { first, count, width: widths[i] ?? 0 }
  })
})

/** The width of a character in units of the font size; undefined when no font of the package has it. */
function signWidth(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0
  const run = lastAtMost(runs(), code)
  return run && code < run.first + run.count ? run.width / 1000 : undefined
}

/** The last run that begins at this sign or before it. */
function lastAtMost(sorted: readonly SignRun[], code: number): SignRun | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.first ?? 0) <= code) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}

/** Text broken into lines that fit a box. */
interface Lettering {
  size: number
  lines: string[]
  /** The direction of the text's first letter; Arabic and Hebrew are written from right to left. */
  direction: Direction
}

export type Direction = 'ltr' | 'rtl'

interface TextBox {
  width: number
  height: number
  /** Sizes to try, largest first. */
  sizes: readonly number[]
  maxLines: number
  /** The distance of lines, as a multiple of the font size. */
  leading: number
}

/** No picture has room for more characters. */
const readable = 2_000

/** Bold type is wider than regular type by this factor at most. */
export const boldFactor = 1.12

/** The text in the largest size that fits the box; at the smallest size the rest is replaced by an ellipsis. */
export function fitText(text: string, box: TextBox): Lettering {
  const clean = readablePart(text)
  const direction = directionOf(clean)
  const paragraphs = clean.split('\n').map(paragraph => breakable(paragraph).map(pieceOf))
  for (const size of box.sizes) {
    const lines = wrapAll(paragraphs, { widthEm: box.width / size, most: box.maxLines })
    if (lines.length <= box.maxLines && lines.length * size * box.leading <= box.height)
      return { size, lines, direction }
  }
  const size = box.sizes.at(-1) ?? 1
  const room = Math.max(1, Math.min(box.maxLines, Math.floor(box.height / (size * box.leading))))
  const lines = wrapAll(paragraphs, { widthEm: box.width / size, most: room })
  const fitting = lines.length <= room ? lines : cut(lines.slice(0, room), box.width / size)
  return { size, lines: fitting, direction }
}

/** One line, shortened with an ellipsis when it is wider than `widthEm` (in units of the font size). */
export function fitLine(text: string, widthEm: number): string {
  const clean = readablePart(text).replace(/\n+/g, ' ')
  return textWidth(clean) <= widthEm ? clean : (cut([clean], widthEm)[0] ?? '')
}

/** A text with the special characters of XML replaced. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** The width of a text in units of the font size, as the sum of its characters. Joined characters may be narrower, and are never wider. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += signWidth(sign) ?? 1
  return width
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u

/** The direction of a text's first letter; left to right when it has no letter. */
export function directionOf(text: string): Direction {
  return rightToLeft.test(text) ? 'rtl' : 'ltr'
}

function readablePart(text: string): string {
  return printable(text.length > readable ? `${text.slice(0, readable)}…` : text)
}

/** A part of a text that stays on one line, and its widths in units of the font size: of all of it, and without the spaces at its end. */
interface Piece {
  text: string
  width: number
  inkWidth: number
}

function pieceOf(text: string): Piece {
  const ink = text.trimEnd()
  const inkWidth = textWidth(ink)
  return { text, inkWidth, width: ink === text ? inkWidth : textWidth(text) }
}

interface Lines {
  widthEm: number
  /** After one line more the rest is left out, since the caller sees that the text does not fit. */
  most: number
}

function wrapAll(paragraphs: readonly Piece[][], room: Lines): string[] {
  if (paragraphs.every(pieces => pieces.every(({ text }) => text.trim() === ''))) return []
  const lines: string[] = []
  for (const pieces of paragraphs) {
    if (lines.length > room.most) break
    lines.push(...(pieces.length === 0 ? [''] : wrap(pieces, room)))
  }
  return lines
}

/** A piece that is longer than a line is broken between any two characters. */
function wrap(pieces: readonly Piece[], { widthEm, most }: Lines): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const piece of pieces.flatMap(part => shortEnough(part, widthEm))) {
    if (line !== '' && width + piece.inkWidth > widthEm) {
      lines.push(line.trimEnd())
      if (lines.length > most) return lines
      line = ''
      width = 0
    }
    const added = line === '' ? piece.text.trimStart() : piece.text
    line += added
    width += added === piece.text ? piece.width : textWidth(added)
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}

function shortEnough(piece: Piece, widthEm: number): readonly Piece[] {
  return piece.inkWidth > widthEm ? graphemes(piece.text).map(pieceOf) : [piece]
}

function cut(lines: string[], widthEm: number): string[] {
  const last = graphemes(lines.at(-1) ?? '')
  while (last.length > 0 && textWidth(last.join('')) > widthEm - 0.95) last.pop()
  return [...lines.slice(0, -1), `${last.join('').trimEnd()}…`]
}

const wide = '\\u2E80-\\u9FFF\\uF900-\\uFAFF\\uFF00-\\uFFEF\\u{20000}-\\u{3FFFF}'
const notFirst = '、。，．！？：；）」』】》〉”’％ーぁぃぅぇぉっゃゅょァィゥェォッャュョ'
const unit = new RegExp(`[${wide}][${notFirst}]*|[^\\s${wide}]+[${notFirst}]*\\s*|\\s+`, 'gu')

/** Scripts that write words without spaces between them. */
const unspaced = /[\p{Script=Thai}]/u

/** The pieces of a text between which a line may break: words, and each character of Chinese and kana. Joined, they give the text. */
function breakable(text: string): string[] {
  return (text.match(unit) ?? []).flatMap(piece => (unspaced.test(piece) ? thaiWords(piece) : [piece]))
}

/** The characters of a text as a reader counts them: a letter with its accents, a syllable, a composed emoji. */
function graphemes(text: string): string[] {
  return segments(text, 'grapheme')
}

/** Spaces stay at the end of the word before them. */
function thaiWords(text: string): string[] {
  return segments(text, 'word').reduce<string[]>((words, word) => {
    if (words.length > 0 && /^[\s\p{P}\p{M}]/u.test(word)) words[words.length - 1] += word
    else words.push(word)
    return words
  }, [])
}

function segments(text: string, granularity: 'grapheme' | 'word'): string[] {
  return [...new Intl.Segmenter('th', { granularity }).segment(text)].map(({ segment }) => segment)
}
