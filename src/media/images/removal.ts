import { apart } from '../layers/decompose.ts'
import type { Pixels } from '../layers/pixels.ts'
import type { Parts } from '../layers/take-apart.ts'
import type { ImageRecipe } from '../recipe.ts'
import type { InputPicture } from './input-picture.ts'
import type { Removal } from './removal-words.ts'
import { removedLayers, subjectOf } from './removed-layers.ts'

type Part = Parts['layers'][number]

/**
 * The input without what the prompt asks to remove, at the given size. Things are filled in with what is around them; without its
 * background, the subject is on white or, where the reply is transparent, on nothing. Undefined when the picture has nothing of the kind.
 */
export async function withoutThings(
  input: InputPicture,
  removal: Removal,
  { size, recipe: { places, transparent } }: { size: { width: number; height: number }; recipe: ImageRecipe },
): Promise<InputPicture | undefined> {
  const { picture, parts } = await apart(input.open(), size)
  const found = { ...size, layers: parts.layers }
  const isBackground = removal.target === 'background' && places.length === 0
  const meant = isBackground ? subjectOf(found) : removedLayers(removal, found, places)
  if (meant.length === 0) return undefined
  const layers = parts.layers.filter(layer => meant.includes(layer))
  const bytes = isBackground
    ? alone(layers, size, transparent ? 0 : 255)
    : filled({ picture, base: parts.base }, layers)
  const { default: sharp } = await import('sharp')
  const { width, height } = size
  return {
    open: () => sharp(bytes, { raw: { width, height, channels: 4 } }),
    widthPx: width,
    heightPx: height,
  }
}

/** The picture with the base at the places of some layers. */
function filled({ picture, base }: { picture: Pixels; base: Pixels }, layers: readonly Part[]): Uint8Array {
  const bytes = picture.bytes.slice()
  for (const layer of layers)
    eachPixel(layer, picture.width, (from, at) => {
      if (layer.pixels.bytes[from + 3] === 0) return
      for (let c = 0; c < 4; c++) bytes[at + c] = base.bytes[at + c] as number
    })
  return bytes
}

/** Some layers on white (255) or on nothing (0). */
function alone(
  layers: readonly Part[],
  { width, height }: { width: number; height: number },
  ground: 0 | 255,
): Uint8Array {
  const bytes = new Uint8Array(width * height * 4).fill(ground)
  for (const layer of layers)
    eachPixel(layer, width, (from, at) => {
      const alpha = layer.pixels.bytes[from + 3] as number
      if (alpha === 0) return
      for (let c = 0; c < 3; c++) {
        const value = layer.pixels.bytes[from + c] as number
        bytes[at + c] = ground === 0 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
      }
      bytes[at + 3] = Math.max(ground, alpha)
    })
  return bytes
}

/** Calls back with the positions of each pixel of a layer in the bytes of the layer and of the picture. */
function eachPixel(
  { box: [left, top, right, bottom] }: Part,
  width: number,
  take: (from: number, at: number) => void,
): void {
  for (let y = top, from = 0; y < bottom; y++)
    for (let x = left; x < right; x++, from += 4) take(from, (y * width + x) * 4)
}
