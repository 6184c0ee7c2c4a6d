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
  const { width, height } = picture
  const parent = Int32Array.from({ length: width * height }, (_, at) => at)
  const sizes = new Int32Array(parent.length).fill(1)
  /** The strongest edge inside a patch. */
  const inside = new Uint16Array(parent.length)
  const find = (of: number): number => {
    let at = of
    for (let above = parent[at] as number; above !== at; above = parent[at] as number) {
      parent[at] = parent[above] as number
      at = parent[at] as number
    }
    return at
  }
  const limit = (of: number) => (inside[of] as number) + scale / (sizes[of] as number)
  const smallest = Math.max(6, parent.length * smallestPart)
  const edges = edgesOf(picture)
  const joinWhere = (isOne: (a: number, b: number, weight: number) => boolean) => {
    edges.forEach((list, weight) => {
      for (let i = 0; i < list.length; i += 2) {
        const [a, b] = [find(list[i] as number), find(list[i + 1] as number)]
        if (a === b || !isOne(a, b, weight)) continue
        const [large, small] = (sizes[a] as number) >= (sizes[b] as number) ? [a, b] : [b, a]
        parent[small] = large
        sizes[large] = (sizes[large] as number) + (sizes[small] as number)
        inside[large] = Math.max(weight, inside[large] as number, inside[small] as number)
      }
    })
  }
  joinWhere((a, b, weight) => weight <= faintest || weight <= Math.min(limit(a), limit(b)))
  joinWhere((a, b) => Math.min(sizes[a] as number, sizes[b] as number) < smallest)
  const numbers = new Map<number, number>()
  const of = parent.map((_, at) => {
    const root = find(at)
    const number = numbers.get(root) ?? numbers.size
    numbers.set(root, number)
    return number
  })
  return { width, height, of, count: numbers.size }
}

/** By weight: the pairs of neighbours, corners included, with that distance of colours. */
function edgesOf({ width, height, bytes }: Pixels): readonly (readonly number[])[] {
  const edges: number[][] = Array.from({ length: 1025 }, () => [])
  const meet = (at: number, other: number) => edges[distance(bytes, at * 4, other * 4)]?.push(at, other)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const [hasRight, hasBelow] = [x + 1 < width, y + 1 < height]
      if (hasRight) meet(at, at + 1)
      if (hasBelow) meet(at, at + width)
      if (hasBelow && hasRight) meet(at, at + width + 1)
      if (hasBelow && x > 0) meet(at, at + width - 1)
    }
  return edges
}

/** The distance of the colours of two pixels, 0 to 1020; two transparent pixels do not differ. */
export function distance(bytes: ArrayLike<number>, a: number, b: number): number {
  const [alphaA, alphaB] = [bytes[a + 3] as number, bytes[b + 3] as number]
  const seen = Math.min(alphaA, alphaB) / 255
  const red = ((bytes[a] as number) - (bytes[b] as number)) * seen
  const green = ((bytes[a + 1] as number) - (bytes[b + 1] as number)) * seen
  const blue = ((bytes[a + 2] as number) - (bytes[b + 2] as number)) * seen
  const alpha = (alphaA - alphaB) * 1.6
  return Math.round(Math.sqrt(2 * red * red + 4 * green * green + 3 * blue * blue + alpha * alpha))
}
