import { signWidth } from './signs.ts'

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
