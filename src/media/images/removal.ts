import { apart, type Parts } from '../layers/decompose.ts'
import { enlarged, filledIn, type Sheet } from '../layers/fill-in.ts'
import { loadSharp, type Pixels } from '../render/pixels.ts'
import type { ImageRecipe, PointedPlace } from '../render/recipe.ts'
import type { Side } from '../scenes/words/lexicon.ts'
import type { Removal } from './edit-look.ts'
import type { InputPicture } from './input-picture.ts'

type Part = Parts['layers'][number]

/**
 * The input without what the prompt asks to remove, at the given size: what its boxes mark and what its points lie on, and in a flat
 * picture what its words mean. What was behind is filled in from around it; without its background, the thing is on white or,
 * where the reply is transparent, on nothing. Undefined when nothing of the kind is known. In photographs words alone remove nothing, and points
 * only small things: parts of things would be left, or smears in their place, which look like a fault of the user's page.
 */
export async function withoutThings(
  input: InputPicture,
  removal: Removal,
  { size, recipe: { places, transparent } }: { size: { width: number; height: number }; recipe: ImageRecipe },
): Promise<InputPicture | undefined> {
  const { sheet, layers } = await apart(input.open(), size)
  const isBackground = removal.target === 'background' && places.length === 0
  const flat = isFlat(sheet.picture)
  if (places.length === 0 && !flat) return undefined
  const asked = isBackground ? ({ target: 'all', sides: [] } as const) : removal
  const meant = places.length > 0 ? [] : meantBy(asked, layers, size)
  const marked = new Uint8Array(size.width * size.height)
  const small = layers.filter(({ area }) => area < marked.length * largestRemoved)
  for (const place of places) mark(marked, pixelsUnder(place, size, flat ? layers : small))
  for (const layer of meant) mark(marked, pixelsOf(layer, size.width))
  if (!marked.includes(1)) return undefined
  const bytes = isBackground ? alone(meant, size, transparent ? 0 : 255) : await filled(sheet, marked)
  const sharp = await loadSharp()
  const { width, height } = size
  return {
    open: () => sharp(bytes, { raw: { width, height, channels: 4 } }),
    widthPx: width,
    heightPx: height,
  }
}

/** The largest layer that a point removes from a photograph, as a part of the picture. */
const largestRemoved = 0.04

function mark(marked: Uint8Array, pixels: Iterable<number>): void {
  for (const at of pixels) marked[at] = 1
}

/** The pixels that a box marks, or those of the layer that a point lies on. Coordinates are from 0 to 999 (Spec, "Limits"). */
function* pixelsUnder(
  place: PointedPlace,
  { width, height }: { width: number; height: number },
  layers: readonly Part[],
): Generator<number> {
  const along = (coordinate: number, length: number) => Math.round((coordinate / 999) * (length - 1))
  const [left, right] = [along(place.left, width), along(place.right, width)]
  const [top, bottom] = [along(place.top, height), along(place.bottom, height)]
  if (left === right && top === bottom) {
    const at = top * width + left
    for (const layer of layers) if (pixelsOf(layer, width).includes(at)) yield* pixelsOf(layer, width)
  } else for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) yield y * width + x
}

/** The places of a layer's pixels in the picture. */
function pixelsOf({ box: [left, top, right], pixels: { bytes } }: Part, width: number): number[] {
  const found: number[] = []
  for (let from = 0; from < bytes.length / 4; from++)
    if (bytes[from * 4 + 3])
      found.push((top + Math.floor(from / (right - left))) * width + left + (from % (right - left)))
  return found
}

/** The picture with the marked pixels filled in. */
async function filled({ picture, copy, noise }: Sheet, marked: Uint8Array): Promise<Uint8Array> {
  const { width, height, bytes } = picture
  const missing = new Uint8Array(copy.width * copy.height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      if (marked[at])
        missing[Math.floor((y * copy.height) / height) * copy.width + Math.floor((x * copy.width) / width)] =
          1
  const behind = await enlarged(filledIn(copy, missing, noise), picture)
  return bytes.map((value, i) => (marked[i >> 2] ? (behind.bytes[i] as number) : value))
}

/** Some layers on white (255) or on nothing (0). */
function alone(
  layers: readonly Part[],
  { width, height }: { width: number; height: number },
  ground: 0 | 255,
): Uint8Array {
  const bytes = new Uint8Array(width * height * 4).fill(ground)
  for (const { box, pixels } of layers)
    for (let y = box[1], from = 0; y < box[3]; y++)
      for (let x = box[0]; x < box[2]; x++, from += 4) {
        const [at, alpha] = [(y * width + x) * 4, pixels.bytes[from + 3] as number]
        if (alpha === 0) continue
        for (let c = 0; c < 3; c++) {
          const value = pixels.bytes[from + c] as number
          bytes[at + c] = ground === 0 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
        }
        bytes[at + 3] = Math.max(ground, alpha)
      }
  return bytes
}

/** Of a flat picture this part at least has the colour of what is a hundredth of the picture away: a drawing, not a photograph. */
const leastFlat = 0.7
/** A difference of three channels together that compression makes. */
const sameColour = 6

function isFlat({ width, height, bytes }: Pixels): boolean {
  const step = Math.max(1, Math.round(Math.max(width, height) / 120))
  let [flat, all] = [0, 0]
  for (let y = 0; y + step < height; y += step)
    for (let x = 0; x + step < width; x += step, all++) {
      const away = (other: number) =>
        [0, 1, 2].reduce((sum, c) => sum + Math.abs((bytes[at + c] ?? 0) - (bytes[other * 4 + c] ?? 0)), 0)
      const at = (y * width + x) * 4
      if (Math.max(away(at / 4 + step), away(at / 4 + step * width)) <= sameColour) flat++
    }
  return flat > all * leastFlat
}

/** Colours farther from the named one than this are another colour. The most is 441. */
const otherColour = 150

/** The layers at the side and of the colour that a prompt names: all of them, or the largest. Letters are not known. */
function meantBy(
  { target, sides, colour }: Removal,
  layers: readonly Part[],
  size: { width: number; height: number },
): Part[] {
  if (target === 'text' || target === 'behind') return []
  const away = (layer: Part) =>
    colour ? Math.hypot(...[0, 1, 2].map(c => (layer.colour[c] ?? 0) - (colour[c] ?? 0))) : 0
  const near = layers
    .filter(layer => sides.every(side => isOn(layer, side, size)) && away(layer) < otherColour)
    .sort((a, b) => away(a) - away(b) || b.area - a.area)
  return target === 'all' ? near : near.slice(0, 1)
}

function isOn({ box }: Part, side: Side, { width, height }: { width: number; height: number }): boolean {
  const [x, y] = [(box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height]
  const isThere = {
    left: x < 0.45,
    right: x > 0.55,
    top: y < 0.45,
    foot: y > 0.55,
    middle: Math.abs(x - 0.5) < 0.22 && Math.abs(y - 0.5) < 0.3,
  }
  return isThere[side]
}
