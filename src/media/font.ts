import { fileURLToPath } from 'node:url'

/** The family name under which drawings find the fonts; they carry Latin, kana and simplified Chinese. */
export const fontFamily = 'Noto Sans SC'

const files = ['noto-sans-sc-regular.ttf', 'noto-sans-sc-latin-bold.ttf']
let registered: Promise<void> | undefined

/** Makes our fonts known to the drawing library, once. After that drawings need no font of the system. */
export function registerFonts(): Promise<void> {
  registered ??= register()
  return registered
}

async function register(): Promise<void> {
  const { default: sharp } = await import('sharp')
  for (const file of files) {
    const fontfile = fileURLToPath(new URL(`../../fixtures/font/${file}`, import.meta.url))
    await sharp({ text: { text: 'x', font: `${fontFamily} 12`, fontfile } })
      .raw()
      .toBuffer()
  }
}
