import type { Box } from '../recipe.ts'
import type { LayerMap } from './layer-map.ts'
import type { Layer } from './measure-layers.ts'
import type { Pixels } from './pixels.ts'

/** Grain that varies less than this, in steps of 255, cannot be seen. */
const leastGrain = 0.7
/** The least side of the squares from which grain is copied, and their part of the picture's longer side. Copies of small squares look like a pattern. */
const [leastPx, tilePart] = [48, 0.05]
/** Grain is the difference of a pixel from the mean of the square of this many pixels on each side of it. */
const around = 4

/** A square of the background with nothing of a layer in it. */
interface Tile {
  left: number
  top: number
  side: number
}

/** The differences of a square's pixels from the means around them, three channels a pixel. */
interface Grain {
  side: number
  values: Int8Array
}

/**
 * Gives the filled-in pixels of a noisy picture the grain of the background, so that they do not look painted. Each layer's place takes
 * it from the calm square of the background that is nearest. Nothing is drawn at random, so that the bytes are always the same.
 */
export function addGrain(
  base: Pixels,
  { picture, map, layers }: { picture: Pixels; map: LayerMap; layers: readonly Layer[] },
): void {
  const calm = calmest(tilesOf(map), picture)
  const known = new Map<Tile, Grain | undefined>()
  const grains = layers.map(({ box }) => {
    const tile = nearest(calm, box)
    if (!tile) return undefined
    if (!known.has(tile)) known.set(tile, grainOf(tile, picture))
    return known.get(tile)
  })
  if (grains.some(Boolean)) add(base, map, [undefined, ...grains])
}

function add(
  { width, height, bytes }: Pixels,
  { of }: LayerMap,
  grains: readonly (Grain | undefined)[],
): void {
  const side = grains.find(Boolean)?.side ?? 1
  const columns = Int32Array.from({ length: width }, (_, x) => mirrored(x, side) * 3)
  for (let y = 0, at = 0; y < height; y++) {
    const row = mirrored(y, side) * side * 3
    for (let x = 0; x < width; x++, at++) {
      const number = of[at] as number
      if (number === 0) continue
      const grain = grains[number]
      if (!grain || bytes[at * 4 + 3] !== 255) continue
      const from = row + (columns[x] as number)
      for (let c = 0; c < 3; c++) {
        const value = (bytes[at * 4 + c] as number) + (grain.values[from + c] as number)
        bytes[at * 4 + c] = value < 0 ? 0 : value > 255 ? 255 : value
      }
    }
  }
}

/** There and back again, so that the grain has no seams. */
function mirrored(position: number, side: number): number {
  const place = position % (2 * side)
  return place < side ? place : 2 * side - 1 - place
}

function tilesOf({ width, height, of }: LayerMap): Tile[] {
  const tiles: Tile[] = []
  const side = Math.max(leastPx, Math.round(Math.max(width, height) * tilePart))
  const whole = side + 2 * around
  for (let top = 0; top + whole <= height; top += side >> 1)
    for (let left = 0; left + whole <= width; left += side >> 1)
      if (isFree({ left, top })) tiles.push({ left, top, side })
  return tiles

  function isFree({ left, top }: { left: number; top: number }): boolean {
    for (let y = 0; y < whole; y += 4)
      for (let x = 0; x < whole; x += 4) if (of[(top + y) * width + left + x]) return false
    return true
  }
}

/** The half of the squares whose colours vary least: the others have edges in them. */
function calmest(tiles: readonly Tile[], picture: Pixels): Tile[] {
  const measured = tiles.map(tile => ({ tile, spread: spreadOf(tile, picture) }))
  const sorted = measured.map(({ spread }) => spread).sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return measured.filter(({ spread }) => spread <= middle).map(({ tile }) => tile)
}

function spreadOf({ left, top, side }: Tile, { width, bytes }: Pixels): number {
  let [sum, squares, count] = [0, 0, 0]
  const whole = side + 2 * around
  for (let y = 0; y < whole; y += 2)
    for (let x = y % 4; x < whole; x += 4) {
      const value = bytes[((top + y) * width + left + x) * 4 + 1] as number
      sum += value
      squares += value * value
      count++
    }
  return squares / count - (sum / count) ** 2
}

function nearest(tiles: readonly Tile[], [left, top, right, bottom]: Box): Tile | undefined {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const far = (tile: Tile) => (tile.left - x) ** 2 + (tile.top - y) ** 2
  return tiles.reduce<Tile | undefined>(
    (best, tile) => (best && far(best) <= far(tile) ? best : tile),
    undefined,
  )
}

/** The grain of a square; undefined when it cannot be seen. */
function grainOf({ left, top, side }: Tile, { width, bytes }: Pixels): Grain | undefined {
  const values = new Int8Array(side * side * 3)
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const [x, y, c] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side), i % 3]
    const at = ((top + y) * width + left + x) * 4 + c
    let sum = 0
    // One pixel of four is enough for a mean.
    for (let dy = 0; dy <= 2 * around; dy += 2)
      for (let dx = 0; dx <= 2 * around; dx += 2) sum += bytes[at + (dy * width + dx) * 4] as number
    const value = Math.round((bytes[at + around * (width + 1) * 4] as number) - sum / (around + 1) ** 2)
    values[i] = Math.max(-127, Math.min(127, value))
    squares += value * value
  }
  return squares > values.length * leastGrain ** 2 ? { side, values } : undefined
}
