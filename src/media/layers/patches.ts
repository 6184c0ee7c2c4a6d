import type { Labels, Pixels } from './pixels.ts'

/** A patch of the picture, its size, edges and neighbours. */
export interface Patch {
  area: number
  /** Pixels on the picture's left, upper and right edge. */
  sides: number
  /** Pixels on the picture's lower edge. */
  foot: number
  left: number
  top: number
  right: number
  bottom: number
  /** Mean red, green, blue and alpha. */
  colour: Uint8Array
  /** Lengths of the borders with other patches. */
  beside: Map<number, number>
}

/** The patches of a picture by label. */
export function patchesOf({ width, height, of, count }: Labels, picture: Pixels): Patch[] {
  const patches = Array.from(
    { length: count },
    (): Patch => ({
      area: 0,
      sides: 0,
      foot: 0,
      left: width,
      top: height,
      right: 0,
      bottom: 0,
      colour: new Uint8Array(4),
      beside: new Map(),
    }),
  )
  const sums = new Float64Array(count * 4)
  const meet = (a: number, b: number) => {
    if (a === b) return
    const [one, other] = [patches[a]?.beside, patches[b]?.beside]
    one?.set(b, (one.get(b) ?? 0) + 1)
    other?.set(a, (other.get(a) ?? 0) + 1)
  }
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const label = of[at] ?? 0
      const patch = patches[label]
      if (!patch) continue
      patch.area++
      for (let i = 0; i < 4; i++)
        sums[label * 4 + i] = (sums[label * 4 + i] ?? 0) + (picture.bytes[at * 4 + i] ?? 0)
      if (y === height - 1) patch.foot++
      else if (x === 0 || y === 0 || x === width - 1) patch.sides++
      patch.left = Math.min(patch.left, x)
      patch.top = Math.min(patch.top, y)
      patch.right = Math.max(patch.right, x)
      patch.bottom = Math.max(patch.bottom, y)
      if (x + 1 < width) meet(label, of[at + 1] ?? 0)
      if (y + 1 < height) meet(label, of[at + width] ?? 0)
    }
  }
  patches.forEach((patch, label) => {
    for (let i = 0; i < 4; i++) patch.colour[i] = (sums[label * 4 + i] ?? 0) / Math.max(1, patch.area)
  })
  return patches
}

/** The length of a patch's border, the picture's edge included. */
export function borderOf({ sides, foot, beside }: Patch): number {
  let border = sides + foot
  for (const length of beside.values()) border += length
  return border
}

/** The mean thickness of a patch in pixels, if it is much longer than thick. */
export function thicknessOf(patch: Patch): number {
  return (2 * patch.area) / borderOf(patch)
}
