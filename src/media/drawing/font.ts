import { fixturePath } from '../../emulator/ground.ts'
import { once } from '../files/once.ts'
import { loadSharp } from '../render/pixels.ts'

/**
 * The fonts of the package, in the order in which they are searched for a character. They are parts of Noto Sans and Noto Emoji, renamed
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

/** The families under which drawings find the fonts. The bold font has only Latin letters; other characters are drawn in regular type. */
export const fontFamilies = { regular, bold: `Gateway Bold, ${regular}` }

const files = [...scripts.map(script => script.toLowerCase().replaceAll(' ', '-')), 'latin-bold']

/**
 * Registers the fonts with the drawing library, once for each process: this takes about 3 ms a font, otherwise
 * for each drawing. All fonts are registered before the first drawing with text, because later ones would
 * change the bytes of drawings in other scripts.
 */
export const registerFonts = once(async () => {
  const sharp = await loadSharp()
  await Promise.all(
    files.map(file => {
      const fontfile = fixturePath(`font/${file}.ttf`)
      return sharp({ text: { text: 'x', font: 'Gateway Latin 12', fontfile } })
        .raw()
        .toBuffer()
    }),
  )
})
