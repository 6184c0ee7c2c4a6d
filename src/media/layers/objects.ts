import { borderOf, type Patch, patchesOf } from './patches.ts'
import type { Labels, Pixels } from './pixels.ts'

/** What lies along this part of the picture's edge, or reaches from side to side, is ground. */
const groundEdge = 0.09
/** So is what lies along the sides with this part of its own border. */
const groundSides = 0.2
/** Things below this part of the picture stay in the ground. */
const smallestObject = 0.0006
/** A thing larger than this is taken apart into its patches. */
const largestObject = 0.28
/** Patches below this part of the picture are no things of their own when a large one is taken apart. */
const smallestPiece = 0.008

/**
 * Groups segments to things: what touches the edges of the picture widely is its ground, what hangs together before it is one thing.
 * Gives for each segment the number of its thing from 1, the ground being 0; at most `most` things, the largest.
 */
export function objectsOf(segments: Labels, picture: Pixels, most: number): Int32Array {
  const patches = patchesOf(segments, picture)
  const pixels = segments.width * segments.height
  const front = patches.map(patch => !isGround(patch, segments))
  // A picture that is all ground still has a largest part, and the others lie on it.
  if (!front.some(Boolean)) {
    const largest = indexOfLargest(patches)
    patches.forEach((patch, index) => {
      front[index] = index !== largest && !isEmpty(patch)
    })
  }
  const groups = groupsOf(patches, front).flatMap(group =>
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

/** Patches in front that hang together. A border of a pixel or two is a touch, not a bond. */
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

/** A large thing as its main patches, each with the small ones that lie along it most. */
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

/** What stands lower in the picture is nearer. */
function bottomOf(group: readonly number[], patches: readonly Patch[]): number {
  return group.reduce((lowest, patch) => Math.max(lowest, patches[patch]?.bottom ?? 0), 0)
}
