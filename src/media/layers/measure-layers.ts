import type { Box } from '../recipe.ts'
import type { Rgb } from '../video/yuv.ts'
import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** The properties of a layer that replies need. */
export interface Layer {
  box: Box
  /** The number of its pixels. */
  area: number
  /** Its most frequent colour. */
  colour: Rgb
}

/** The layers of a map, number 1 first. Numbers without pixels are removed, in the map too. */
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
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0, end = 0; x < width; x = end) {
      const number = map.of[row + x] ?? 0
      end = x + 1
      while (end < width && map.of[row + end] === number) end++
      const layer = found[number - 1]
      if (!layer) continue
      layer.area += end - x
      layer.left = Math.min(layer.left, x)
      layer.right = Math.max(layer.right, end)
      layer.top = Math.min(layer.top, y)
      layer.bottom = y + 1
      // One pixel of sixteen is enough to find the colour.
      if ((y & 3) > 0) continue
      for (let each = (x + 3) & ~3; each < end; each += 4)
        countColour(layer.bins, picture.bytes, (row + each) * 4)
    }
  }
  const kept = found.filter(layer => layer.area > 0)
  // Most often only the last numbers have no pixels.
  if (kept.some((layer, index) => layer !== found[index])) {
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

/** Counts a colour in bins of thirty-two values for each channel: the number of pixels and the sums of their channels. */
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
