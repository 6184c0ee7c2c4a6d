import type { Pixels } from '../render/pixels.ts'
import { distance, type Labels } from './segments.ts'

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
  for (let y = 0; y < height; y++) {
    const end = (y + 1) * width
    for (let from = y * width, to = from; from < end; from = to) {
      const label = of[from] as number
      // Neighbours with one label are counted at once.
      while (to < end && of[to] === label) to++
      addRun(patches[label] as Patch, { x: from - y * width, y, columns: to - from, width, height })
      for (let i = from * 4; i < to * 4; i++) {
        const sum = label * 4 + (i & 3)
        sums[sum] = (sums[sum] as number) + (picture.bytes[i] as number)
      }
      if (to < end) meet(label, of[to] as number)
      if (y + 1 === height) continue
      for (let at = from; at < to; at++) if (of[at + width] !== label) meet(label, of[at + width] as number)
    }
  }
  patches.forEach((patch, label) => {
    for (let i = 0; i < 4; i++) patch.colour[i] = (sums[label * 4 + i] ?? 0) / Math.max(1, patch.area)
  })
  return patches
}

/** Neighbouring pixels in a row, and the size of their picture. */
interface PixelRun {
  x: number
  y: number
  columns: number
  width: number
  height: number
}

function addRun(patch: Patch, { x, y, columns, width, height }: PixelRun): void {
  patch.area += columns
  if (y === height - 1) patch.foot += columns
  else if (y === 0) patch.sides += columns
  else patch.sides += Number(x === 0) + Number(x + columns === width && width > 1)
  patch.left = Math.min(patch.left, x)
  patch.top = Math.min(patch.top, y)
  patch.right = Math.max(patch.right, x + columns - 1)
  patch.bottom = Math.max(patch.bottom, y)
}

/** The length of a patch's border, the picture's edge included. */
export function borderOf({ sides, foot, beside }: Patch): number {
  let border = sides + foot
  for (const length of beside.values()) border += length
  return border
}

/** Whether a patch is transparent, or was joined to another one. */
export function isEmpty({ colour }: Patch): boolean {
  return (colour[3] ?? 0) < 12
}

/** The mean thickness of a patch in pixels, if it is much longer than thick. */
function thicknessOf(patch: Patch): number {
  return (2 * patch.area) / borderOf(patch)
}

/** Patches thinner than this on average are soft edges or lines of another patch. Pixels. */
const thinnestPx = 2.3

/** How often slivers are looked for: in the first rounds they are often joined to each other. */
const rounds = 3

/** Joins each sliver to the neighbour with the most similar colour, so that soft edges do not become objects and do not connect objects. */
export function withoutSlivers(segments: Labels, picture: Pixels): Labels {
  let found = segments
  for (let round = 0; round < rounds; round++) {
    const next = joined(found, picture)
    if (!next) break
    found = next
  }
  return found
}

/** The segments after one round; undefined when there were no slivers. */
function joined(segments: Labels, picture: Pixels): Labels | undefined {
  const patches = patchesOf(segments, picture)
  const owner = Int32Array.from(patches, (_, label) => label)
  const find = (label: number): number => {
    const above = owner[label] ?? label
    return above === label ? label : find(above)
  }
  const slivers = patches
    .map((patch, label) => ({ patch, label }))
    .filter(({ patch }) => patch.area > 0 && thicknessOf(patch) < thinnestPx)
    .sort((a, b) => a.patch.area - b.patch.area)
  if (slivers.length === 0) return undefined
  for (const { patch, label } of slivers) {
    const near = nearest(patch, patches)
    if (near !== undefined && find(near) !== label) owner[label] = find(near)
  }
  return { ...segments, of: segments.of.map(find) }
}

const pair = new Uint8Array(8)

function nearest(patch: Patch, patches: readonly Patch[]): number | undefined {
  let [best, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  pair.set(patch.colour, 0)
  for (const [other, length] of patch.beside) {
    pair.set(patches[other]?.colour ?? [0, 0, 0, 0], 4)
    // A neighbour along the whole sliver is more likely than one at its end.
    const far = distance(pair, 0, 4) + 40 * (1 - length / (patch.area + 1))
    if (far < least) [best, least] = [other, far]
  }
  return best
}
