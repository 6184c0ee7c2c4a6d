import type { Pixels } from '../render/pixels.ts'

/** One whole number for each pixel of a picture. */
export interface Labels {
  width: number
  height: number
  of: Int32Array
  /** Labels run from 0 to `count - 1`. */
  count: number
}

/** Larger values make larger segments. The unit is colour distance times pixels. */
const scale = 260
/** Steps up to this strength belong to a gradient or to grain, and never divide segments. */
const faintest = 9
/** Segments below this part of the picture are joined to a neighbour. */
const smallestPart = 0.0004

/**
 * Divides a picture into patches of similar colour: pixels are joined along edges from the weakest to the
 * strongest, while the edge is not stronger than the differences inside both patches (Felzenszwalb and
 * Huttenlocher, 2004). Gradients are not divided.
 */
export function segmentsOf(picture: Pixels): Labels {
  const { steps, weights, order } = sortedEdges(picture)
  const sets = createSets(picture.width * picture.height)
  for (let i = 0; i < order.length; i++) {
    const edge = order[i] as number
    const a = sets.find(edge >> 2)
    const b = sets.find((edge >> 2) + (steps[edge & 3] as number))
    if (a === b) continue
    const weight = weights[edge] as number
    if (weight <= faintest || weight <= Math.min(sets.limit(a, scale), sets.limit(b, scale)))
      sets.join(a, b, weight)
  }
  const least = Math.max(6, picture.width * picture.height * smallestPart)
  for (let i = 0; i < order.length; i++) {
    const edge = order[i] as number
    const a = sets.find(edge >> 2)
    const b = sets.find((edge >> 2) + (steps[edge & 3] as number))
    if (a !== b && (sets.size(a) < least || sets.size(b) < least)) sets.join(a, b, weights[edge] as number)
  }
  return numbered(picture, sets)
}

/** Edge `4 * at + i` goes from the pixel `at` to its neighbour `at + steps[i]`. */
interface Edges {
  steps: readonly number[]
  weights: Uint16Array
  /** All edges in the picture, by weight. */
  order: Int32Array
}

/** The weight of an edge that would leave the picture. */
const outside = 0xffff

/** Each pixel with its four neighbours to the right and below, corners included. */
function sortedEdges({ width, height, bytes }: Pixels): Edges {
  const steps = [1, width, width + 1, width - 1] as const
  const weights = new Uint16Array(width * height * 4).fill(outside)
  for (let y = 0, at = 0; y < height; y++) {
    const hasBelow = y + 1 < height
    for (let x = 0; x < width; x++, at++) {
      const hasRight = x + 1 < width
      if (hasRight) weights[at * 4] = distance(bytes, at * 4, (at + 1) * 4)
      if (!hasBelow) continue
      weights[at * 4 + 1] = distance(bytes, at * 4, (at + steps[1]) * 4)
      if (hasRight) weights[at * 4 + 2] = distance(bytes, at * 4, (at + steps[2]) * 4)
      if (x > 0) weights[at * 4 + 3] = distance(bytes, at * 4, (at + steps[3]) * 4)
    }
  }
  return { steps, weights, order: countingSort(weights) }
}

/** The distance of the colours of two pixels, 0 to 1020; two transparent pixels do not differ. */
export function distance(bytes: Uint8Array, a: number, b: number): number {
  const [alphaA, alphaB] = [bytes[a + 3] ?? 0, bytes[b + 3] ?? 0]
  const seen = Math.min(alphaA, alphaB) / 255
  const red = ((bytes[a] ?? 0) - (bytes[b] ?? 0)) * seen
  const green = ((bytes[a + 1] ?? 0) - (bytes[b + 1] ?? 0)) * seen
  const blue = ((bytes[a + 2] ?? 0) - (bytes[b + 2] ?? 0)) * seen
  const alpha = (alphaA - alphaB) * 1.6
  return Math.round(Math.sqrt(2 * red * red + 4 * green * green + 3 * blue * blue + alpha * alpha))
}

/** The edges of the picture in ascending order of weight; those of equal weight keep their order. */
function countingSort(weights: Uint16Array): Int32Array {
  const starts = new Int32Array(1026)
  let count = 0
  for (let edge = 0; edge < weights.length; edge++) {
    const weight = weights[edge] as number
    if (weight === outside) continue
    starts[weight + 1] = (starts[weight + 1] as number) + 1
    count++
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number)
  const order = new Int32Array(count)
  for (let edge = 0; edge < weights.length; edge++) {
    const weight = weights[edge] as number
    if (weight === outside) continue
    const at = starts[weight] as number
    starts[weight] = at + 1
    order[at] = edge
  }
  return order
}

interface Sets {
  find(of: number): number
  size(of: number): number
  /** The strongest edge that can join this set to another. */
  limit(of: number, scale: number): number
  join(a: number, b: number, weight: number): void
}

function createSets(count: number): Sets {
  const parent = new Int32Array(count)
  for (let i = 0; i < count; i++) parent[i] = i
  const sizes = new Int32Array(count).fill(1)
  const inside = new Uint16Array(count)
  const find = (of: number): number => {
    let at = of
    for (;;) {
      const above = parent[at] as number
      if (above === at) return at
      const next = parent[above] as number
      parent[at] = next
      at = next
    }
  }
  return {
    find,
    size: of => sizes[of] ?? 0,
    limit: (of, times) => (inside[of] ?? 0) + times / (sizes[of] ?? 1),
    join(a, b, weight) {
      const [large, small] = (sizes[a] ?? 0) >= (sizes[b] ?? 0) ? [a, b] : [b, a]
      parent[small] = large
      sizes[large] = (sizes[large] ?? 0) + (sizes[small] ?? 0)
      inside[large] = Math.max(weight, inside[large] ?? 0, inside[small] ?? 0)
    },
  }
}

function numbered({ width, height }: Pixels, sets: Sets): Labels {
  const of = new Int32Array(width * height)
  const numbers = new Map<number, number>()
  for (let at = 0; at < of.length; at++) {
    const root = sets.find(at)
    let number = numbers.get(root)
    if (number === undefined) {
      number = numbers.size
      numbers.set(root, number)
    }
    of[at] = number
  }
  return { width, height, of, count: numbers.size }
}
