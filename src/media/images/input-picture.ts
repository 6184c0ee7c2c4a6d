import type { Sharp } from 'sharp'
import { hex, paletteOf } from '../drawing/colour.ts'
import { layoutOf, registerFonts, text } from '../drawing/svg.ts'
import { loadSharp, openPicture } from '../render/pixels.ts'
import type { ImageInput } from '../render/recipe.ts'
import type { Sources } from '../render/render-video.ts'

/** An input that can be drawn any number of times, upright. */
export interface InputPicture {
  open(): Sharp
  widthPx: number
  heightPx: number
}

/**
 * A picture from a request. When its bytes were not read or cannot be decoded here (HEIC), a card of the same
 * proportions with a note is drawn instead.
 */
export async function openInput(input: ImageInput, sources: Pick<Sources, 'kept'>): Promise<InputPicture> {
  const bytes = input.picture && (await sources.kept(input.picture))
  if (!bytes) return card(input)
  const open = await openPicture(bytes)
  return { open: () => open().autoOrient(), widthPx: input.widthPx, heightPx: input.heightPx }
}

const cardSidePx = 1024

async function card({ widthPx, heightPx, format }: ImageInput): Promise<InputPicture> {
  await registerFonts()
  const sharp = await loadSharp()
  const scale = cardSidePx / Math.max(widthPx, heightPx)
  const width = Math.max(64, Math.round(widthPx * scale))
  const height = Math.max(64, Math.round(heightPx * scale))
  const bytes = Buffer.from(cardSvg({ width, height }, [format.toUpperCase(), `${widthPx}×${heightPx}`]))
  return { open: () => sharp(bytes), widthPx, heightPx }
}

/** The icon of a framed landscape, as for a missing picture. */
function cardSvg({ width, height }: { width: number; height: number }, lines: readonly string[]): string {
  const { unit } = layoutOf({ width, height })
  const palette = paletteOf(width * 31 + height)
  const [x, y] = [width / 2, height / 2 - unit * 6]
  const label = lines
    .map((line, i) =>
      text(line, {
        x,
        y: y + unit * (17 + i * 5.4),
        size: unit * 4,
        anchor: 'middle',
        opacity: 0.85 - i * 0.25,
      }),
    )
    .join('')
  const icon = `<g transform="translate(${x} ${y}) scale(${unit})" fill="none" stroke="${hex(palette.accent)}" stroke-width="1.1" stroke-linejoin="round">
    <rect x="-14" y="-10.5" width="28" height="21" rx="2.6"/><circle cx="-6.6" cy="-4" r="2.4"/>
    <path d="M-13.4 8l8-7.6 5 4.6 6.4-7 7.4 8"/></g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${hex(palette.middle)}"/>
    <circle cx="${width * 0.8}" cy="${height * 0.12}" r="${unit * 26}" fill="${hex(palette.glow)}" fill-opacity=".35"/>
    <circle cx="${width * 0.12}" cy="${height * 0.95}" r="${unit * 34}" fill="${hex(palette.deep)}" fill-opacity=".6"/>${icon}${label}</svg>`
}
