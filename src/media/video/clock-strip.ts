import { fontFamilies, registerFonts } from '../drawing/font.ts'
import { even, type Layout, layoutOf } from '../drawing/frame-layout.ts'
import { paletteOf } from '../drawing/palette.ts'
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
  const layout = layoutOf(order)
  const { bar } = layout
  const halo = even(bar.knob * 1.6)
  const circle = (radius: number, opacity: number): Shape => ({
    width: radius * 2,
    height: radius * 2,
    svg: `<circle cx="${radius}" cy="${radius}" r="${radius}" fill-opacity="${opacity}"/>`,
  })
  const rail = `<rect width="${bar.width}" height="${bar.height}" rx="${bar.radius}"/>`
  const shapes = [{ width: bar.width, height: bar.height, svg: rail }, circle(halo, 0.3), circle(bar.knob, 1)]
  const [barMask, haloMask, knobMask, ...signs] = await drawMasks([
    ...shapes,
    ...alphabet.map(s => signShape(s, layout)),
  ])
  if (!barMask || !haloMask || !knobMask) throw new Error('a sheet of shapes came out incomplete')
  return {
    layout,
    accent: paletteOf(order.seed).accent,
    signs: new Map(signs.map((mask, i) => [alphabet[i] ?? '', mask])),
    bar: barMask,
    halo: haloMask,
    knob: knobMask,
  }
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

/** Minutes, seconds and whole tenths that have passed: it is never ahead of the frame. */
function timeCode({ layout, signs }: ClockShapes, seconds: number, top: number): Stroke[] {
  const tenths = Math.floor(seconds * 10 + 1e-6)
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

interface Shape {
  width: number
  height: number
  svg: string
}

function signShape(sign: string, { clock }: Layout): Shape {
  const width = /\d/.test(sign) ? clock.digit : clock.dot
  const style = `font-family="${fontFamilies.bold}" font-weight="700" font-size="${clock.size}" text-anchor="middle"`
  const svg = `<text x="${width / 2}" y="${clock.size * 0.98}" ${style}>${sign}</text>`
  return { width, height: Math.round(clock.size * 0.62) * 2, svg }
}

/** All shapes on one sheet, one below the other, because starting a drawing costs more than its size. */
async function drawMasks(shapes: readonly Shape[]): Promise<Mask[]> {
  await registerFonts()
  const { default: sharp } = await import('sharp')
  const width = Math.max(...shapes.map(shape => shape.width))
  const tops = shapes.map((_, i) => shapes.slice(0, i).reduce((sum, shape) => sum + shape.height, 0))
  const height = shapes.reduce((sum, shape) => sum + shape.height, 0)
  const parts = shapes.map((shape, i) => `<g transform="translate(0,${tops[i]})">${shape.svg}</g>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#fff">${parts.join('')}</svg>`
  const sheet = await sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer()
  return shapes.map((shape, i) => cutOut(sheet, width, tops[i] ?? 0, shape))
}

function cutOut(sheet: Buffer, sheetWidth: number, top: number, { width, height }: Shape): Mask {
  const alpha = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    const from = (top + row) * sheetWidth
    alpha.set(sheet.subarray(from, from + width), row * width)
  }
  return { width, height, alpha }
}

function evenDown(value: number): number {
  return Math.floor(value / 2) * 2
}
