import type { Pixels } from '../pixels.ts'
import { isEmpty, type Patch } from './patches.ts'
import { distance, type Labels } from './segments.ts'

/** Each side is looked at as far as the gap is wide, at least this far, without the soft edge beside the gap. Pixels. */
const [leastPx, softPx] = [18, 2]
/** Two gradients that meet with at most this distance of colours are one. */
const sameGradient = 24

/**
 * The patches that split the ground, such as a bar from edge to edge: in most of their rows or columns the
 * gradients on both sides belong to two patches, larger together, and meet in the middle of the gap.
 * A patch that goes on itself with the ground is a part of it. Patches in front of the ground do not count.
 */
export function splittersOf(
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
