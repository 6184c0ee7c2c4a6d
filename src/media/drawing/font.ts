import { fixturePath } from '../../package/files.ts'
import { once } from '../once.ts'

/**
 * The families under which drawings find the fonts. They carry Latin, kana and simplified Chinese; the bold one carries
 * Latin only. "Thin" is what the regular file calls itself: it was cut from a variable font.
 */
export const fontFamilies = { regular: 'Noto Sans SC Thin', bold: 'Noto Sans SC, Noto Sans SC Thin' }

const files = ['noto-sans-sc-regular.ttf', 'noto-sans-sc-latin-bold.ttf']

/** Makes our fonts known to the drawing library, once. After that drawings need no font of the system. */
export const registerFonts = once(async () => {
  const { default: sharp } = await import('sharp')
  for (const file of files) {
    const fontfile = fixturePath(`font/${file}`)
    await sharp({ text: { text: 'x', font: 'Noto Sans SC 12', fontfile } })
      .raw()
      .toBuffer()
  }
})
