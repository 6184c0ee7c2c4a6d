import type { Pixels } from '../render/pixels.ts'

/** The number of the object of each pixel; 0 is the background. */
export interface ObjectMap {
  width: number
  height: number
  of: Uint8Array
}

/** A patch along this part of the picture's edge, or from side to side, belongs to the background. */
const groundEdge = 0.09
/** So does a patch with this part of its own border along the sides. */
const groundSides = 0.2
/** Objects smaller than this part of the picture stay in the background. */
const smallestObject = 0.0006
/** An object larger than this part of the picture is divided into its patches. */
const largestObject = 0.28
/** When a large object is divided, patches smaller than this part of the picture do not become objects. */
const smallestPiece = 0.008

/**
 * Finds the objects of a small picture. Patches along much of the picture's edge are its background; connected patches in front of it
 * are one object. The largest `most` objects are kept, and numbered from 1 by their foot: what ends lower in the picture is nearer.
 */
export function objectsOf(picture: Pixels, most: number): ObjectMap {
  const { width, height } = picture
  const segments = withoutSlivers(segmentsOf(picture), picture)
  const patches = patchesOf(segments, picture)
  const front = patches.map(patch => !isGround(patch, picture))
  markSplitters(front, { patches, segments, picture })
  if (!front.some(Boolean)) {
    // Where all is background, all but the largest patch become objects.
    const largest = patches.reduce((best, { area }, i) => (area > (patches[best]?.area ?? 0) ? i : best), 0)
    patches.forEach((patch, index) => {
      front[index] = index !== largest && !isEmpty(patch)
    })
  }
  const pixels = width * height
  const area = (group: readonly number[]) => group.reduce((sum, one) => sum + (patches[one]?.area ?? 0), 0)
  const foot = (group: readonly number[]) => Math.max(...group.map(one => patches[one]?.bottom ?? 0))
  const kept = groupsOf(patches, front)
    .flatMap(group => (area(group) > pixels * largestObject ? pieces(group, patches, pixels) : [group]))
    .filter(group => area(group) >= pixels * smallestObject)
    .sort((a, b) => area(b) - area(a))
    .slice(0, most)
    .sort((a, b) => foot(a) - foot(b))
  const numbers = new Uint8Array(segments.count)
  kept.forEach((group, index) => {
    for (const patch of group) numbers[patch] = index + 1
  })
  return { width, height, of: Uint8Array.from(segments.of, label => numbers[label] as number) }
}

/** A patch of the picture, its size, edges and neighbours. */
interface Patch {
  area: number
  /** Pixels on the picture's left, upper and right edge. */
  sides: number
  /** Pixels on the picture's lower edge. */
  foot: number
  left: number
  top: number
  right: number
  bottom: number
  /** Sums of red, green, blue and alpha, then their means. */
  colour: number[]
  /** Lengths of the borders with other patches. */
  beside: Map<number, number>
}

function patchesOf({ width, height, of, count }: Labels, { bytes }: Pixels): Patch[] {
  const patches = Array.from({ length: count }, (): Patch => {
    const box = { left: width, top: height, right: 0, bottom: 0 }
    return { area: 0, sides: 0, foot: 0, ...box, colour: [0, 0, 0, 0], beside: new Map() }
  })
  const meet = (a: number, b: number) => {
    if (a === b) return
    const [one, other] = [(patches[a] as Patch).beside, (patches[b] as Patch).beside]
    one.set(b, (one.get(b) ?? 0) + 1)
    other.set(a, (other.get(a) ?? 0) + 1)
  }
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const label = of[at] as number
      const patch = patches[label] as Patch
      patch.area++
      if (y === height - 1) patch.foot++
      else if (y === 0 || x === 0 || x === width - 1) patch.sides++
      patch.left = Math.min(patch.left, x)
      patch.right = Math.max(patch.right, x)
      patch.top = Math.min(patch.top, y)
      patch.bottom = y
      for (let c = 0; c < 4; c++)
        patch.colour[c] = (patch.colour[c] as number) + (bytes[at * 4 + c] as number)
      if (x + 1 < width) meet(label, of[at + 1] as number)
      if (y + 1 < height) meet(label, of[at + width] as number)
    }
  for (const patch of patches) patch.colour = patch.colour.map(sum => sum / Math.max(1, patch.area))
  return patches
}

/** The length of a patch's border, the picture's edge included. */
function borderOf({ sides, foot, beside }: Patch): number {
  return [...beside.values()].reduce((sum, length) => sum + length, sides + foot)
}

/** Whether a patch is transparent, or was joined to another one. */
function isEmpty({ colour }: Patch): boolean {
  return (colour[3] ?? 0) < 12
}

/** Patches thinner than this on average are soft edges or lines of another patch. Pixels. */
const thinnestPx = 2.3
/** What a neighbour at the end of a sliver counts, as a distance of colours. By trial: much lower values part a door from its house, much higher ones a blurred thing. */
const atItsEnd = 100

/**
 * Joins each sliver to the neighbour with the most similar colour, so that soft edges do not become objects and do not connect objects.
 * In the first rounds slivers are often joined to each other.
 */
function withoutSlivers(segments: Labels, picture: Pixels, rounds = 3): Labels {
  const patches = patchesOf(segments, picture)
  const owner = patches.map((_, label) => label)
  const find = (label: number): number => (owner[label] === label ? label : find(owner[label] as number))
  const slivers = patches
    .map((patch, label) => ({ patch, label }))
    .filter(({ patch }) => patch.area > 0 && (2 * patch.area) / borderOf(patch) < thinnestPx)
    .sort((a, b) => a.patch.area - b.patch.area)
  for (const { patch, label } of slivers) {
    // A neighbour along the whole sliver is more likely than one at its end.
    const away = ([other, length]: readonly [number, number]) =>
      distance([...patch.colour, ...(patches[other] as Patch).colour], 0, 4) +
      atItsEnd * Math.max(0, 1 - (2 * length) / borderOf(patch))
    const [near] = [...patch.beside].sort((a, b) => away(a) - away(b))
    if (near && find(near[0]) !== label) owner[label] = find(near[0])
  }
  const joined = { ...segments, of: segments.of.map(find) }
  return slivers.length === 0 || rounds === 1 ? joined : withoutSlivers(joined, picture, rounds - 1)
}

function isGround(patch: Patch, { width, height }: Pixels): boolean {
  const { left, top, right, bottom, sides, foot } = patch
  const reaches = (left === 0 && right === width - 1) || (top === 0 && bottom === height - 1)
  const isLong = sides + foot / 2 > 2 * (width + height) * groundEdge
  return isEmpty(patch) || reaches || isLong || sides > borderOf(patch) * groundSides
}

/** The colours on both sides of what splits the ground are at most this far apart. */
const sameGround = 40
/** Soft edges beside a patch are not looked at. Pixels. */
const softPx = 3

/**
 * Marks the patches of the ground that split it, such as a bar from edge to edge, as being in front: in most of their rows or columns
 * the ground is the same on both sides, and the patch has another colour.
 */
function markSplitters(front: boolean[], sight: Sight): void {
  const { width, height } = sight.picture
  const areaOf = (label: number) => sight.patches[label]?.area ?? 0
  // The smaller ones first: of two kinds of stripes the smaller one is in front of the other.
  const ground = [...front.keys()].filter(label => !front[label] && !isEmpty(sight.patches[label] as Patch))
  for (const label of ground.sort((a, b) => areaOf(a) - areaOf(b))) {
    const { left, top, right, bottom } = sight.patches[label] as Patch
    const rows = Array.from({ length: bottom - top + 1 }, (_, y) => (top + y) * width)
    const columns = Array.from({ length: right - left + 1 }, (_, x) => left + x)
    const isSplit = (starts: readonly number[], step: number, length: number) => {
      const crossed = starts.flatMap(start => splits({ start, step, length }, { label, front }, sight) ?? [])
      return crossed.filter(Boolean).length * 2 > crossed.length
    }
    front[label] = isSplit(rows, 1, width) || isSplit(columns, width, height)
  }
}

interface Sight {
  patches: readonly Patch[]
  segments: Labels
  picture: Pixels
}

/** Whether a patch lies between ground of one colour in a row or column, which is larger; undefined where it is too thin. */
function splits(
  { start, step, length }: { start: number; step: number; length: number },
  { label, front }: { label: number; front: readonly boolean[] },
  { patches, segments: { of }, picture: { bytes } }: Sight,
): boolean | undefined {
  const labelAt = (i: number) => of[start + i * step] as number
  let from = 0
  while (from < length && labelAt(from) !== label) from++
  let to = from
  while (to < length && labelAt(to) === label) to++
  if (to - from <= softPx) return undefined
  let [before, after] = [from - softPx, to + softPx - 1]
  const isFront = (i: number) => front[labelAt(i)]
  while (before > 0 && (isFront(before) || isFront(before + softPx))) before--
  while (after < length - 1 && (isFront(after) || isFront(after - softPx))) after++
  if (before < 0 || after >= length) return false
  const sides = new Set([labelAt(before), labelAt(after)])
  if (sides.has(label) || [...sides].some(one => front[one])) return false
  const own = patches[label] as Patch
  if ([...sides].reduce((sum, one) => sum + (patches[one]?.area ?? 0), 0) <= own.area) return false
  const [a, b] = [(start + before * step) * 4, (start + after * step) * 4]
  const mean = [0, 1, 2, 3].map(c => ((bytes[a + c] as number) + (bytes[b + c] as number)) / 2)
  return distance(bytes, a, b) <= sameGround && distance([...mean, ...own.colour], 0, 4) > sameGround / 2
}

/** Connected patches in front. A common border of one or two pixels does not connect them. */
function groupsOf(patches: readonly Patch[], front: readonly boolean[]): number[][] {
  const seen = new Set<number>()
  const reached = (start: number): number[] => {
    if (!front[start] || seen.has(start)) return []
    seen.add(start)
    const near = [...(patches[start]?.beside ?? [])].filter(([, border]) => border >= 3)
    return [start, ...near.flatMap(([other]) => reached(other))]
  }
  return patches.map((_, start) => reached(start)).filter(group => group.length > 0)
}

/** Divides a large object into its main patches, each with the small ones that share the longest border with it. */
function pieces(group: readonly number[], patches: readonly Patch[], pixels: number): number[][] {
  const main = group.filter(patch => (patches[patch]?.area ?? 0) >= pixels * smallestPiece)
  if (main.length < 2) return [[...group]]
  const owner = new Map(main.map(patch => [patch, patch]))
  const left = new Set(group.filter(patch => !owner.has(patch)))
  for (let before = 0; before !== left.size; ) {
    before = left.size
    for (const patch of left) {
      const [nearest] = [...(patches[patch]?.beside ?? [])]
        .filter(([other]) => owner.has(other))
        .sort((a, b) => b[1] - a[1])
      if (!nearest) continue
      owner.set(patch, owner.get(nearest[0]) as number)
      left.delete(patch)
    }
  }
  return main.map(piece => group.filter(patch => owner.get(patch) === piece))
}

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
function segmentsOf(picture: Pixels): Labels {
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
function distance(bytes: ArrayLike<number>, a: number, b: number): number {
  const [alphaA, alphaB] = [bytes[a + 3] as number, bytes[b + 3] as number]
  const seen = Math.min(alphaA, alphaB) / 255
  const red = ((bytes[a] as number) - (bytes[b] as number)) * seen
  const green = ((bytes[a + 1] as number) - (bytes[b + 1] as number)) * seen
  const blue = ((bytes[a + 2] as number) - (bytes[b + 2] as number)) * seen
  const alpha = (alphaA - alphaB) * 1.6
  return Math.round(Math.sqrt(2 * red * red + 4 * green * green + 3 * blue * blue + alpha * alpha))
}
