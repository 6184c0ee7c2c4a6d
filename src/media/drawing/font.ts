import { fixturePath } from '../../package/files.ts'
import { once } from '../once.ts'

/**
 * Our fonts, in the order in which a sign is looked for in them. They are parts of Noto Sans and Noto Emoji under names
 * of their own, so that a font of the system never takes their place.
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

const files = [...scripts.map(script => script.toLowerCase().replaceAll(' ', '-')), 'latin-bold']

/** Makes our fonts known to the drawing library, once: about 3 ms a font. After that drawings need no font of the system. */
export const registerFonts = once(async () => {
  const { default: sharp } = await import('sharp')
  for (const file of files) {
    const fontfile = fixturePath(`font/${file}.ttf`)
    await sharp({ text: { text: 'x', font: 'Gateway Latin 12', fontfile } })
      .raw()
      .toBuffer()
  }
})
