import type { Rgb } from '../drawing/colour.ts'
import type { Pixels } from '../render/pixels.ts'
import type { Box } from '../render/recipe.ts'
import { distance } from './segments.ts'

/** The number of the layer of each pixel, one byte a pixel; 0 is the base. */
export interface LayerMap {
  width: number
  height: number
  of: Uint8Array
}

/**
 * Enlarges the map of a small copy to the size of the picture. Along borders each pixel belongs to the side
 * with the more similar colour.
 */
export function enlarged(small: LayerMap, copy: Pixels, picture: Pixels): LayerMap {
  return refined(withoutHairs(small), copy, picture)
}

/** Removes lines one pixel wide from the objects: they are soft edges of something else. */
function withoutHairs(map: LayerMap): LayerMap {
  const { width, height } = map
  const of = map.of.slice()
  for (let at = 0; at < of.length; at++) if (map.of[at] && around(map, at).alike < 4) of[at] = 0
  return { width, height, of }
}

/** How many of this pixel and its neighbours, with corners, have its number, and how many have another one. */
function around({ width, height, of }: LayerMap, at: number): { alike: number; others: number } {
  const [x, y] = [at % width, Math.floor(at / width)]
  let [alike, others] = [0, 0]
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
      if (of[at + dy * width + dx] === of[at]) alike++
      else others++
    }
  }
  return { alike, others }
}

function refined(small: LayerMap, copy: Pixels, picture: Pixels): LayerMap {
  const { width, height } = picture
  const of = new Uint8Array(width * height)
  const isBorder = small.of.map((_, cell) => around(small, cell).others)
  const columns = Int32Array.from({ length: width }, (_, x) =>
    Math.min(small.width - 1, Math.floor((x * small.width) / width)),
  )
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(small.height - 1, Math.floor((y * small.height) / height)) * small.width
    for (let x = 0; x < width; x++, at++) {
      const cell = row + (columns[x] ?? 0)
      of[at] = isBorder[cell] ? nearest(cell, at, { small, copy, picture }) : (small.of[cell] ?? 0)
    }
  }
  return { width, height, of }
}

const both = { bytes: new Uint8Array(8) }

function nearest(
  cell: number,
  at: number,
  { small, copy, picture }: { small: LayerMap; copy: Pixels; picture: Pixels },
): number {
  const { width, height } = small
  const [x, y] = [cell % width, Math.floor(cell / width)]
  for (let i = 0; i < 4; i++) both.bytes[i] = picture.bytes[at * 4 + i] ?? 0
  let [best, least] = [small.of[cell] ?? 0, Number.POSITIVE_INFINITY]
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
      const other = cell + dy * width + dx
      for (let i = 0; i < 4; i++) both.bytes[4 + i] = copy.bytes[other * 4 + i] ?? 0
      const far = distance(both.bytes, 0, 4) + 3 * (Math.abs(dx) + Math.abs(dy))
      if (far < least) [best, least] = [small.of[other] ?? 0, far]
    }
  }
  return best
}

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
