import type { Pixels } from '../render/pixels.ts'
import { borderOf, isEmpty, type Patch, patchesOf } from './patches.ts'
import { distance, type Labels } from './segments.ts'

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
  for (const index of splittersOf(patches, front, { segments, picture })) front[index] = true
  // When all patches are background, all but the largest one become objects.
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

/** A gap up to this wide between two groups is a soft edge. Pixels. */
const widestGap = 2
/** A group with this part of its border beside a larger one is a part of it, such as a door of its house. */
const leastContact = 0.4

/** Joins groups of segments that only a soft edge divides: the parts of one thing. */
function withNearParts(groups: readonly number[][], segments: Labels): number[][] {
  const groupOf = new Int32Array(segments.count).fill(-1)
  groups.forEach((group, index) => {
    for (const segment of group) groupOf[segment] = index
  })
  const { borders, areas, contacts } = measured(groups.length, groupOf, segments)
  const owner = groups.map((_, index) => index)
  for (const [pair, length] of contacts) {
    const [small, large] = [Math.floor(pair / groups.length), pair % groups.length]
    if ((areas[small] as number) >= (areas[large] as number)) continue
    if (length >= (borders[small] as number) * leastContact) owner[small] = large
  }
  // The owner of an owner is larger still, so that this ends.
  const find = (index: number): number => (owner[index] === index ? index : find(owner[index] as number))
  const joined: number[][] = groups.map(() => [])
  groups.forEach((group, index) => {
    const all = joined[find(index)]
    for (const segment of group) all?.push(segment)
  })
  return joined.filter(group => group.length > 0)
}

interface Measured {
  areas: Int32Array
  /** The lengths of the groups' borders. */
  borders: Int32Array
  /** By first group times the number of groups, plus second group: the length of the first one's border beside the second one. */
  contacts: Map<number, number>
}

function measured(count: number, groupOf: Int32Array, { width, height, of }: Labels): Measured {
  const [areas, borders] = [new Int32Array(count), new Int32Array(count)]
  const contacts = new Map<number, number>()
  const groupAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : (groupOf[of[y * width + x] as number] as number)
  const look = (group: number, [x, y]: readonly [number, number], [dx, dy]: readonly [number, number]) => {
    if (groupAt(x + dx, y + dy) === group) return
    borders[group] = (borders[group] as number) + 1
    for (let far = 1; far <= widestGap + 1; far++) {
      const other = groupAt(x + far * dx, y + far * dy)
      if (other < 0 || other === group) continue
      const pair = group * count + other
      contacts.set(pair, (contacts.get(pair) ?? 0) + 1)
      return
    }
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const group = groupAt(x, y)
      if (group < 0) continue
      areas[group] = (areas[group] as number) + 1
      for (const step of steps) look(group, [x, y], step)
    }
  return { areas, borders, contacts }
}

const steps = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const

/** Each side is looked at as far as the gap is wide, at least this far, without the soft edge beside the gap. Pixels. */
const [leastPx, softPx] = [18, 2]
/** Two gradients that meet with at most this distance of colours are one. */
const sameGradient = 24

/**
 * The patches that split the ground, such as a bar from edge to edge: in most of their rows or columns the
 * gradients on both sides belong to two patches, larger together, and meet in the middle of the gap.
 * A patch that goes on itself with the ground is a part of it. Patches in front of the ground do not count.
 */
function splittersOf(
  patches: readonly Patch[],
  front: readonly boolean[],
  { segments, picture }: { segments: Labels; picture: Pixels },
): Set<number> {
  const { width, height } = segments
  const areaOf = (number: number) => patches[number]?.area ?? 0
  const rows = Array.from({ length: height }, (_, y) => runsOf(segments, y * width, 1, width))
  const columns = Array.from({ length: width }, (_, x) => runsOf(segments, x, width, height))
  const found = new Set<number>()
  const isFront = (number: number) => front[number] === true || found.has(number)
  const splits = (own: Run, line: readonly Run[]): boolean => {
    const ground = line.filter(run => run.patch !== own.patch && !isFront(run.patch))
    const after = ground.filter(run => run.start > own.start)
    return ground.some(
      before =>
        before.start < own.start &&
        !areOne(before, own, picture) &&
        after.some(
          run =>
            run.patch !== before.patch &&
            areaOf(run.patch) + areaOf(before.patch) > areaOf(own.patch) &&
            areOne(before, run, picture),
        ),
    )
  }
  // The smaller ones first: of two kinds of stripes the smaller one is in front of the other.
  const numbers = patches.flatMap((patch, number) => (isEmpty(patch) || front[number] ? [] : [number]))
  for (const number of numbers.sort((a, b) => areaOf(a) - areaOf(b)))
    for (const lines of [rows, columns]) {
      const crossed = lines.flatMap(line => {
        const own = line.find(run => run.patch === number && run.count > softPx)
        return own ? [splits(own, line)] : []
      })
      if (crossed.filter(Boolean).length * 2 > crossed.length) found.add(number)
    }
  return found
}

/** Neighbouring pixels of one patch in a row or column: every `step`th from `start` on. */
interface Run {
  patch: number
  start: number
  step: number
  count: number
}

function runsOf({ of }: Labels, start: number, step: number, count: number): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < count; i++) {
    const at = start + i * step
    const last = runs.at(-1)
    if (last && last.patch === of[at]) last.count++
    else runs.push({ patch: of[at] as number, start: at, step, count: 1 })
  }
  return runs
}

const pair = new Uint8ClampedArray(8)
const pairBytes = new Uint8Array(pair.buffer)

/** Whether the colours of two runs, continued to the middle of the gap between them, are the same there. */
function areOne(left: Run, right: Run, picture: Pixels): boolean {
  const { step } = left
  const end = left.start + (left.count - 1) * step
  const half = (right.start - end) / step / 2
  const hasBoth =
    continued({ ...left, start: end, step: -step }, half, picture, 0) && continued(right, half, picture, 4)
  return hasBoth && distance(pairBytes, 0, 4) <= sameGradient
}

/** Writes the colour that a run has `away` pixels before its start, by the line through the means of two parts of it. */
function continued({ start, step, count }: Run, away: number, { bytes }: Pixels, to: number): boolean {
  const part = (Math.min(count, Math.max(leastPx, 2 * Math.round(away))) - softPx) >> 1
  if (part < 1) return false
  for (let channel = 0; channel < 4; channel++) {
    let [near, far] = [0, 0]
    for (let i = softPx; i < softPx + part; i++) {
      near += bytes[(start + i * step) * 4 + channel] as number
      far += bytes[(start + (i + part) * step) * 4 + channel] as number
    }
    pair[to + channel] = (near + ((near - far) * (away + softPx + (part - 1) / 2)) / part) / part
  }
  return true
}
