import type { Pixels } from '../render/pixels.ts'

/** About this many pixels are looked at. */
const samples = 20_000

/**
 * The standard deviation of a picture's noise, in steps of 255: how much pixels usually differ from their neighbours
 * (green channel). Edges are few, so they do not count; a texture counts as noise. Drawn pictures have 0.
 */
export function noiseOf({ width, height, bytes }: Pixels): number {
  const counts = new Uint32Array(256)
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / samples)))
  const row = width * 4
  let count = 0
  for (let y = 1; y < height - 1; y += stride)
    for (let x = 1; x < width - 1; x += stride) {
      const at = (y * width + x) * 4 + 1
      const around =
        (bytes[at - 4] as number) +
        (bytes[at + 4] as number) +
        (bytes[at - row] as number) +
        (bytes[at + row] as number)
      const away = Math.min(255, Math.round(Math.abs(4 * (bytes[at] as number) - around)))
      counts[away] = (counts[away] as number) + 1
      count++
    }
  // Of noise with the deviation 1 this difference has the deviation of the root of 20, and six tenths of its values are below 0.84 times that.
  return quantile(counts, count * 0.6) / (0.84 * Math.sqrt(20))
}

/** The lowest value that at least `entries` of the counted values do not exceed. */
function quantile(counts: Uint32Array, entries: number): number {
  let passed = 0
  for (let value = 0; value < counts.length; value++) {
    passed += counts[value] as number
    if (passed >= entries) return value
  }
  return counts.length - 1
}
