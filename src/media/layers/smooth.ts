import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** Colours that differ by more than this (all channels together) are two sides of an edge, which stays sharp. */
const sameSide = 60

/** Takes the streaks out of what was filled in: each such pixel becomes the mean of those beside it that are alike. */
export function smoothed(base: Pixels, map: LayerMap): void {
  const stride = Math.max(1, Math.round(Math.max(base.width, base.height) / 700))
  for (const by of [base.width, 1]) pass(base, map, { by, stride })
}

/** One pass along rows (`by` 1) or columns (`by` the width), over four pixels on both sides that lie `stride` apart. */
function pass(
  { width, bytes }: Pixels,
  { of }: LayerMap,
  { by, stride }: { by: number; stride: number },
): void {
  const before = bytes.slice()
  const far = stride * by * 4
  for (let at = 0; at < of.length; at++) {
    const here = at * 4
    if (of[at] === 0 || before[here + 3] !== 255) continue
    const column = at % width
    const r = before[here] ?? 0
    const g = before[here + 1] ?? 0
    const b = before[here + 2] ?? 0
    let reds = 0
    let greens = 0
    let blues = 0
    let count = 0
    for (let step = -far; step <= far; step += stride * by) {
      const other = at + step
      if (other < 0 || other >= of.length || (by === 1 && (column + step < 0 || column + step >= width)))
        continue
      const there = other * 4
      const r2 = before[there] ?? 0
      const g2 = before[there + 1] ?? 0
      const b2 = before[there + 2] ?? 0
      const gap = Math.abs(r - r2) + Math.abs(g - g2) + Math.abs(b - b2)
      if (gap > sameSide || before[there + 3] !== 255) continue
      reds += r2
      greens += g2
      blues += b2
      count++
    }
    bytes[here] = Math.round(reds / count)
    bytes[here + 1] = Math.round(greens / count)
    bytes[here + 2] = Math.round(blues / count)
  }
}
