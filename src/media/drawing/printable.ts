import { readFixture } from '../../package/files.ts'

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
type SignRun = readonly [first: number, count: number, width: number]

/** The table of widths, read on first use. Reading it takes 4 ms, and drawings look up every character. */
let runs: readonly SignRun[] | undefined

/** The width of a character in units of the font size; undefined when no font of the package has it. */
export function signWidth(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0
  runs ??= readFixture<SignRun[]>('font/signs.json')
  const run = lastAtMost(runs, code)
  return run && code < run[0] + run[1] ? run[2] / 1000 : undefined
}

/** The last run that begins at this sign or before it. */
function lastAtMost(sorted: readonly SignRun[], code: number): SignRun | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[0] ?? 0) <= code) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}
