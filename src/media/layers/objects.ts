import { withNearParts } from './near-parts.ts'
import { borderOf, type Patch, patchesOf } from './patches.ts'
import type { Labels, Pixels } from './pixels.ts'

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
 * Groups segments into objects. Patches along much of the picture's edge are its background; connected patches
 * in front of it are one object. Returns for each segment the number of its object, from 1; the background is
 * 0. The largest `most` objects are kept.
 */
export function objectsOf(segments: Labels, picture: Pixels, most: number): Int32Array {
  const patches = patchesOf(segments, picture)
  const pixels = segments.width * segments.height
  const front = patches.map(patch => !isGround(patch, segments))
  // When all patches are background, only the largest one stays background and the others become objects.
  if (!front.some(Boolean)) {
    const largest = indexOfLargest(patches)
    patches.forEach((patch, index) => {
      front[index] = index !== largest && !isEmpty(patch)
    })
  }
  const groups = withNearParts(groupsOf(patches, front), segments).flatMap(group =>
    areaOf(group, patches) > pixels * largestObject ? pieces(group, patches, pixels) : [group],
  )
  const kept = groups
    .filter(group => areaOf(group, patches) >= pixels * smallestObject)
    .sort((a, b) => areaOf(b, patches) - areaOf(a, patches))
    .slice(0, most)
    .sort((a, b) => bottomOf(a, patches) - bottomOf(b, patches))
  const numbers = new Int32Array(segments.count)
  kept.forEach((group, index) => {
    for (const patch of group) numbers[patch] = index + 1
  })
  return numbers
}

function isGround(patch: Patch, { width, height }: Labels): boolean {
  if (isEmpty(patch)) return true
  const reaches =
    (patch.left === 0 && patch.right === width - 1) || (patch.top === 0 && patch.bottom === height - 1)
  const contact = patch.sides + patch.foot / 2
  return reaches || contact > 2 * (width + height) * groundEdge || patch.sides > borderOf(patch) * groundSides
}

function isEmpty({ colour }: Patch): boolean {
  return (colour[3] ?? 0) < 12
}

function indexOfLargest(patches: readonly Patch[]): number {
  return patches.reduce((best, patch, index) => (patch.area > (patches[best]?.area ?? 0) ? index : best), 0)
}

/** Connected patches in front. A common border of one or two pixels does not connect them. */
function groupsOf(patches: readonly Patch[], front: readonly boolean[]): number[][] {
  const seen = new Set<number>()
  const groups: number[][] = []
  patches.forEach((_, start) => {
    if (!front[start] || seen.has(start)) return
    const group: number[] = []
    const open = [start]
    seen.add(start)
    for (let patch = open.pop(); patch !== undefined; patch = open.pop()) {
      group.push(patch)
      for (const [other, border] of patches[patch]?.beside ?? []) {
        if (!front[other] || seen.has(other) || border < 3) continue
        seen.add(other)
        open.push(other)
      }
    }
    groups.push(group)
  })
  return groups
}

/** Divides a large object into its main patches, each with the small ones that share the longest border with it. */
function pieces(group: readonly number[], patches: readonly Patch[], pixels: number): number[][] {
  const main = group.filter(patch => (patches[patch]?.area ?? 0) >= pixels * smallestPiece)
  if (main.length < 2) return [[...group]]
  const owner = new Map(main.map(patch => [patch, patch]))
  const left = new Set(group.filter(patch => !owner.has(patch)))
  for (let hasMoved = true; hasMoved && left.size > 0; ) {
    hasMoved = false
    for (const patch of left) {
      const bonds = [...(patches[patch]?.beside ?? [])].filter(([other]) => owner.has(other))
      const [nearest] = bonds.sort((a, b) => b[1] - a[1])
      if (!nearest) continue
      owner.set(patch, owner.get(nearest[0]) ?? nearest[0])
      left.delete(patch)
      hasMoved = true
    }
  }
  return main.map(piece => group.filter(patch => owner.get(patch) === piece))
}

function areaOf(group: readonly number[], patches: readonly Patch[]): number {
  return group.reduce((sum, patch) => sum + (patches[patch]?.area ?? 0), 0)
}

/** The lowest row of an object: an object that ends lower in the picture is nearer. */
function bottomOf(group: readonly number[], patches: readonly Patch[]): number {
  return group.reduce((lowest, patch) => Math.max(lowest, patches[patch]?.bottom ?? 0), 0)
}
