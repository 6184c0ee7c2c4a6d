import type { Pixels } from '../render/pixels.ts'
import type { LayerMap } from './layer-map.ts'

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

/** Colours that differ by more than this (all channels together) are two sides of an edge, which stays sharp. */
const sameSide = 60

/**
 * How far the neighbours are from each other in one round after the other, in strides. In photographs rows and columns differ more, and would show as
 * bands and blocks: filled-in pixels far from each other are averaged there whatever their colours.
 */
const [drawnRounds, noisyRounds] = [[1], [24, 12, 6, 3, 1]]

/** Removes streaks from the filled-in pixels: each of them becomes the mean of its neighbours. @param noise in steps of 255 */
export function smoothed(base: Pixels, map: LayerMap, noise: number): void {
  const stride = Math.max(1, Math.round(Math.max(base.width, base.height) / 350))
  for (const far of noise < 0.5 ? drawnRounds : noisyRounds)
    for (const by of [base.width, 1])
      pass(base, map, { by, stride: stride * far, any: far > 1 ? map.of : none })
}

/** One pass along rows (`by` 1) or columns (`by` the width), over two pixels on both sides that lie `stride` apart. */
function pass(
  { width, bytes }: Pixels,
  { of }: LayerMap,
  { by, stride, any }: { by: number; stride: number; any: Uint8Array },
): void {
  const before = bytes.slice()
  const words = new Uint32Array(before.buffer)
  const step = stride * by
  for (let at = 0; at < of.length; at++) {
    if (of[at] === 0 || before[at * 4 + 3] !== 255) continue
    // A row ends at the edge of the picture, a column at its first and last pixel.
    const start = by === 1 ? at - (at % width) : 0
    const last = (by === 1 ? start + width : of.length) - 1
    const from = at - start >= 2 * step ? at - 2 * step : firstFrom(at, step, start)
    const to = Math.min(at + 2 * step, last)
    if (!isEven(words, from, to, step)) meanAround({ before, bytes, any }, { at, from, to, step })
  }
}

/** The first position that is a whole number of steps from `at` and not below `least`. */
function firstFrom(at: number, step: number, least: number): number {
  return at - Math.floor((at - least) / step) * step
}

/** Whether all these pixels have one colour. In drawn pictures most do, which saves half of the time. */
function isEven(words: Uint32Array, from: number, to: number, step: number): boolean {
  for (let there = from + step; there <= to; there += step) if (words[there] !== words[from]) return false
  return true
}

interface Reach {
  at: number
  from: number
  to: number
  step: number
}

const none = new Uint8Array(0)

interface Change {
  before: Uint8Array
  bytes: Uint8Array
  /** Pixels that are averaged whatever their colours. */
  any: Uint8Array
}

function meanAround({ before, bytes, any }: Change, { at, from, to, step }: Reach): void {
  const here = at * 4
  const r = before[here] as number
  const g = before[here + 1] as number
  const b = before[here + 2] as number
  let reds = 0
  let greens = 0
  let blues = 0
  let count = 0
  for (let there = from * 4; there <= to * 4; there += step * 4) {
    const r2 = before[there] as number
    const g2 = before[there + 1] as number
    const b2 = before[there + 2] as number
    const gap = Math.abs(r - r2) + Math.abs(g - g2) + Math.abs(b - b2)
    if ((gap > sameSide && !any[there / 4]) || before[there + 3] !== 255) continue
    reds += r2
    greens += g2
    blues += b2
    count++
  }
  bytes[here] = Math.round(reds / count)
  bytes[here + 1] = Math.round(greens / count)
  bytes[here + 2] = Math.round(blues / count)
}
