import { borderOf, type Patch, thicknessOf } from './patches.ts'
import type { Labels, Pixels } from './pixels.ts'
import { distance } from './segments.ts'

/** Blurred edges are up to this thin. Pixels. */
const thickestPx = 8

/**
 * The labels of patches that are only the blurred edge between two parts of the background, such as a horizon that is out of focus.
 * At the edge of an object they are left: they may be its shadow, and belong to it.
 */
export function blurredEdges(segments: Labels, picture: Pixels, patches: readonly Patch[]): Set<number> {
  const thin = new Set<number>()
  patches.forEach((patch, label) => {
    if (patch.area > 0 && thicknessOf(patch) < thickestPx) thin.add(label)
  })
  const beside = coloursBeside(segments, picture, thin)
  return new Set([...thin].filter(label => isBlurred(patches[label], patches, beside.get(label))))
}

/** Whether a thin patch lies between two patches along most of its border, and its colour between theirs. */
function isBlurred(
  patch: Patch | undefined,
  patches: readonly Patch[],
  beside: ReadonlyMap<number, Uint8Array> | undefined,
): boolean {
  if (!patch || !beside) return false
  const [one, other] = [...patch.beside].sort((a, b) => b[1] - a[1])
  if (!one || !other || other[1] < borderOf(patch) / 4) return false
  if (!reachesSide(patches[one[0]]) || !reachesSide(patches[other[0]])) return false
  const [a, b] = [beside.get(one[0]), beside.get(other[0])]
  if (!a || !b) return false
  return between(patch.colour, a) + between(patch.colour, b) < 1.15 * between(a, b)
}

function reachesSide(patch: Patch | undefined): boolean {
  return patch !== undefined && patch.sides + patch.foot > 0
}

/** How far from a thin patch its neighbours have their own colour. Pixels. */
const besidePx = 4

/** The mean colours of the neighbours of some patches, close to each of these patches: a sky has other colours elsewhere. */
function coloursBeside(
  { width, height, of }: Labels,
  { bytes }: Pixels,
  wanted: ReadonlySet<number>,
): Map<number, Map<number, Uint8Array>> {
  const sums = new Map<number, Map<number, number[]>>()
  const add = (label: number, at: number) => {
    const other = of[at] as number
    if (other === label) return
    const beside = sums.get(label) ?? new Map<number, number[]>()
    const sum = beside.get(other) ?? [0, 0, 0, 0, 0]
    sums.set(label, beside.set(other, sum))
    for (let i = 0; i < 4; i++) sum[i] = (sum[i] as number) + (bytes[at * 4 + i] as number)
    sum[4] = (sum[4] as number) + 1
  }
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const label = of[at] as number
      if (!wanted.has(label)) continue
      if (x >= besidePx) add(label, at - besidePx)
      if (x + besidePx < width) add(label, at + besidePx)
      if (y >= besidePx) add(label, at - besidePx * width)
      if (y + besidePx < height) add(label, at + besidePx * width)
    }
  const mean = ([red = 0, green = 0, blue = 0, alpha = 0, count = 1]: number[]) =>
    Uint8Array.of(red / count, green / count, blue / count, alpha / count)
  return new Map(
    [...sums].map(([label, beside]) => [
      label,
      new Map([...beside].map(([other, sum]) => [other, mean(sum)])),
    ]),
  )
}

const pair = new Uint8Array(8)

function between(a: Uint8Array, b: Uint8Array): number {
  pair.set(a, 0)
  pair.set(b, 4)
  return distance(pair, 0, 4)
}
