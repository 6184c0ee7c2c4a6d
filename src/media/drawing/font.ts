import { fixturePath } from '../../package/files.ts'
import { once } from '../once.ts'

/**
 * The fonts of the package, in the order in which a character is looked for. They are parts of Noto Sans and Noto Emoji, renamed
 * so that a font of the system is never used instead.
 */
const scripts = [
  'Latin',
  'Han',
  'Han Japanese',
  'Han Traditional',
  'Han Rare',
  'Korean',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Bengali',
  'Tamil',
  'Armenian',
  'Georgian',
  'Emoji',
  'Symbols',
]

const regular = scripts.map(script => `Gateway ${script}`).join(', ')

/** The families under which drawings find the fonts. The bold one carries Latin only; other signs come out regular. */
export const fontFamilies = { regular, bold: `Gateway Bold, ${regular}` }

const latin = ['latin', 'latin-bold']
const others = scripts.slice(1).map(script => script.toLowerCase().replaceAll(' ', '-'))

/** Characters that the Latin fonts have. Drawings look there first, so that no other font can change them. */
const inLatin = /^[\n\r\t -~\u00a0-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2026]*$/

/** Registers the fonts for a text with the drawing library, once: about 3 ms a font. Drawings then need no font of the system. */
export async function registerFonts(text: string): Promise<void> {
  await registerLatin()
  if (!inLatin.test(text)) await registerOthers()
}

/** Saves 6 ms for each drawing. */
const registerLatin = once(() => registerAll(latin))

/** Saves 45 ms for each drawing, and for a process that draws Latin type only. */
const registerOthers = once(() => registerAll(others))

async function registerAll(files: readonly string[]): Promise<void> {
  const { default: sharp } = await import('sharp')
  for (const file of files) {
    const fontfile = fixturePath(`font/${file}.ttf`)
    await sharp({ text: { text: 'x', font: 'Gateway Latin 12', fontfile } })
      .raw()
      .toBuffer()
  }
}
