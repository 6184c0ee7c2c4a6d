import type { Labels, Pixels } from './pixels.ts'

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
  const edges = sortedEdges(picture)
  const sets = createSets(picture.width * picture.height)
  for (const edge of edges.order) {
    const [a, b, weight] = [
      sets.find(edges.from[edge] ?? 0),
      sets.find(edges.to[edge] ?? 0),
      edges.weight[edge] ?? 0,
    ]
    if (a !== b && weight <= Math.max(faintest, Math.min(sets.limit(a, scale), sets.limit(b, scale))))
      sets.join(a, b, weight)
  }
  const least = Math.max(6, picture.width * picture.height * smallestPart)
  for (const edge of edges.order) {
    const [a, b] = [sets.find(edges.from[edge] ?? 0), sets.find(edges.to[edge] ?? 0)]
    if (a !== b && (sets.size(a) < least || sets.size(b) < least)) sets.join(a, b, edges.weight[edge] ?? 0)
  }
  return numbered(picture, sets)
}

interface Edges {
  from: Int32Array
  to: Int32Array
  weight: Uint16Array
  order: Int32Array
}

/** Each pixel with its four neighbours to the right and below, corners included. */
function sortedEdges(picture: Pixels): Edges {
  const { width, height } = picture
  const most = width * height * 4
  const [from, to, weight] = [new Int32Array(most), new Int32Array(most), new Uint16Array(most)]
  let count = 0
  const add = (a: number, b: number) => {
    from[count] = a
    to[count] = b
    weight[count++] = distance(picture.bytes, a * 4, b * 4)
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + 1 < width) add(at, at + 1)
      if (y + 1 < height) add(at, at + width)
      if (x + 1 < width && y + 1 < height) add(at, at + width + 1)
      if (x > 0 && y + 1 < height) add(at, at + width - 1)
    }
  }
  return { from, to, weight, order: countingSort(weight.subarray(0, count)) }
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

/** Positions in ascending order of value; equal values keep their order. */
function countingSort(values: Uint16Array): Int32Array {
  const starts = new Int32Array(1026)
  for (const value of values) starts[value + 1] = (starts[value + 1] ?? 0) + 1
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0)
  const order = new Int32Array(values.length)
  values.forEach((value, index) => {
    const at = starts[value] ?? 0
    starts[value] = at + 1
    order[at] = index
  })
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
  const parent = Int32Array.from({ length: count }, (_, i) => i)
  const sizes = new Int32Array(count).fill(1)
  const inside = new Uint16Array(count)
  const find = (of: number): number => {
    let at = of
    for (;;) {
      const above = parent[at] ?? at
      if (above === at) return at
      const next = parent[above] ?? above
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
