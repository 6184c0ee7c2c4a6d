import { fontFamily, registerFonts } from './font.ts'
import { type Layout, layoutOf } from './frame-layout.ts'
import { paletteOf } from './palette.ts'
import type { Mask, Rgb, Stroke } from './yuv.ts'

/** The shapes of the time code and of the progress bar, ready to be painted. */
export interface ClockShapes {
  layout: Layout
  accent: Rgb
  signs: ReadonlyMap<string, Mask>
  bar: Mask
  halo: Mask
  knob: Mask
}

const alphabet = [...'0123456789:.']
const white: Rgb = [255, 255, 255]

/** Draws the shapes for pictures of this size, once for a video. */
export async function drawClockShapes(order: {
  width: number
  height: number
  seed: number
}): Promise<ClockShapes> {
  await registerFonts()
  const layout = layoutOf(order)
  const { bar } = layout
  const halo = bar.knob * 2
  const [signs, ...shapes] = await Promise.all([
    drawSigns(layout),
    drawMask(bar.width, bar.height, `<rect width="${bar.width}" height="${bar.height}" rx="${bar.radius}"/>`),
    drawMask(halo * 2, halo * 2, `<circle cx="${halo}" cy="${halo}" r="${halo}" fill-opacity=".3"/>`),
    drawMask(bar.knob * 2, bar.knob * 2, `<circle cx="${bar.knob}" cy="${bar.knob}" r="${bar.knob}"/>`),
  ])
  const [barMask, haloMask, knobMask] = shapes as [Mask, Mask, Mask]
  return { layout, accent: paletteOf(order.seed).accent, signs, bar: barMask, halo: haloMask, knob: knobMask }
}

/** What is painted over the picture at a moment, `top` rows from its own upper edge. */
export function clockStrokes(
  shapes: ClockShapes,
  moment: { seconds: number; progress: number },
  top: number,
): Stroke[] {
  const { layout, accent, bar, halo, knob } = shapes
  const columns = Math.round((layout.bar.width * moment.progress) / 2) * 2
  const left = layout.bar.left + columns
  const middle = layout.bar.top + layout.bar.height / 2 - top
  const round = (mask: Mask, colour: Rgb): Stroke => ({
    mask,
    left: evenDown(left - mask.width / 2),
    top: evenDown(middle - mask.height / 2),
    colour,
  })
  return [
    ...timeCode(shapes, moment.seconds, top),
    { mask: bar, left: layout.bar.left, top: layout.bar.top - top, columns, colour: accent },
    round(halo, accent),
    round(knob, white),
  ]
}

/** Minutes, seconds and tenths. */
function timeCode({ layout, signs }: ClockShapes, seconds: number, top: number): Stroke[] {
  const tenths = Math.round(seconds * 10)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const written = `${pad(Math.floor(tenths / 600))}:${pad(Math.floor(tenths / 10) % 60)}.${tenths % 10}`
  let left = layout.clock.left
  return [...written].flatMap(sign => {
    const mask = signs.get(sign)
    if (!mask) return []
    const stroke = { mask, left, top: layout.clock.top - top, colour: white }
    left += mask.width
    return [stroke]
  })
}

async function drawSigns({ clock }: Layout): Promise<Map<string, Mask>> {
  const height = Math.round(clock.size * 0.62) * 2
  const drawn = alphabet.map(async sign => {
    const width = /\d/.test(sign) ? clock.digit : clock.dot
    const style = `font-family="${fontFamily}" font-weight="700" font-size="${clock.size}" text-anchor="middle"`
    const mask = await drawMask(
      width,
      height,
      `<text x="${width / 2}" y="${clock.size * 0.98}" ${style}>${sign}</text>`,
    )
    return [sign, mask] as const
  })
  return new Map(await Promise.all(drawn))
}

async function drawMask(width: number, height: number, shape: string): Promise<Mask> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#fff">${shape}</svg>`
  const alpha = await sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer()
  return { width, height, alpha }
}

function evenDown(value: number): number {
  return Math.floor(value / 2) * 2
}
