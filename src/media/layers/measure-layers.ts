import type { Box } from '../recipe.ts'
import type { Rgb } from '../video/yuv.ts'
import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** What is to be told of a layer. */
export interface Layer {
  box: Box
  /** Pixels that belong to it. */
  area: number
  /** Its most frequent colour. */
  colour: Rgb
}

/** The layers of a map, number 1 first. Numbers that have no pixel are closed up, in the map too. */
export function layersOf(map: LayerMap, picture: Pixels, count: number): Layer[] {
  const { width, height } = map
  const found = Array.from({ length: count }, () => ({
    left: width,
    top: height,
    right: 0,
    bottom: 0,
    area: 0,
    bins: new Map<number, number[]>(),
  }))
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const layer = found[(map.of[at] ?? 0) - 1]
      if (!layer) continue
      layer.area++
      if (x < layer.left) layer.left = x
      if (x >= layer.right) layer.right = x + 1
      if (y < layer.top) layer.top = y
      if (y >= layer.bottom) layer.bottom = y + 1
      // One pixel of sixteen tells the colour as well as all of them.
      if ((x & 3) === 0 && (y & 3) === 0) countColour(layer.bins, picture.bytes, at * 4)
    }
  }
  const kept = found.filter(layer => layer.area > 0)
  if (kept.length < found.length) {
    const numbers = Uint8Array.from([0, ...found.map(layer => kept.indexOf(layer) + 1)])
    map.of.forEach((number, at) => {
      map.of[at] = numbers[number] ?? 0
    })
  }
  return kept.map(({ left, top, right, bottom, area, bins }) => ({
    box: [left, top, right, bottom],
    area,
    colour: mostFrequent(bins),
  }))
}

/** Colours in boxes of thirty-two values a channel: how many fell in and their sums. */
function countColour(bins: Map<number, number[]>, bytes: Uint8Array, at: number): void {
  const [red, green, blue] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0]
  const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5)
  const bin = bins.get(key)
  if (!bin) bins.set(key, [1, red, green, blue])
  else {
    bin[0] = (bin[0] ?? 0) + 1
    bin[1] = (bin[1] ?? 0) + red
    bin[2] = (bin[2] ?? 0) + green
    bin[3] = (bin[3] ?? 0) + blue
  }
}

function mostFrequent(bins: Map<number, number[]>): Rgb {
  let best: readonly number[] = [1, 128, 128, 128]
  let most = 0
  for (const bin of bins.values()) if ((bin[0] ?? 0) > most) [best, most] = [bin, bin[0] ?? 0]
  const [count = 1, red = 0, green = 0, blue = 0] = best
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)]
}
