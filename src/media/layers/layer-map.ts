import type { Pixels } from './pixels.ts'
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
  for (let at = 0; at < of.length; at++) if (map.of[at] && alikeAround(map, at) < 4) of[at] = 0
  return { width, height, of }
}

/** The number of pixels with the same number: this one, and its neighbours with corners. */
function alikeAround({ width, height, of }: LayerMap, at: number): number {
  const [x, y] = [at % width, Math.floor(at / width)]
  let alike = 0
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height
      if (isInside && of[at + dy * width + dx] === of[at]) alike++
    }
  }
  return alike
}

function refined(small: LayerMap, copy: Pixels, picture: Pixels): LayerMap {
  const { width, height } = picture
  const of = new Uint8Array(width * height)
  const isBorder = bordersOf(small)
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

/** The cells with neighbours of another layer. */
function bordersOf({ width, height, of }: LayerMap): Uint8Array {
  const borders = new Uint8Array(of.length)
  for (let at = 0; at < of.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    for (let dy = -1; dy <= 1 && !borders[at]; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height
        if (isInside && of[at + dy * width + dx] !== of[at]) borders[at] = 1
      }
    }
  }
  return borders
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
