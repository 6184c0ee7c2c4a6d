import { addLine, lineFrom } from './edge-lines.ts'
import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** How far the soft edge of a layer reaches into the background near a pixel of its border, in pixels. */
export type Reach = (at: number, layer: number) => number

/** Edges are looked at as far out as this part of the picture's longer side, and reach at most half as far. */
const farthest = 0.08
/** The picture is divided into squares of this side (part of the longer side); neighbouring squares share one measurement. */
const cellPart = 0.02
/** A step in the mean colours (all channels together) that cannot be seen. */
const invisibleStep = 1.8

/** The squares that share measurements, and the points on each line. */
interface Grid {
  cell: number
  columns: number
  /** The distance of the points on a line, in pixels. */
  unit: number
  taps: number
}

/** Numbers of layers are below this. */
const mostNumbers = 32

/**
 * Measures how wide the soft edges around the layers are: blur, halos of sharpening, shadows, the traces of compression. On lines that leave
 * a layer at right angles, the mean colours change as far as the edge reaches; behind it they change no more than the background does.
 */
export function softReach(
  map: LayerMap,
  picture: Pixels,
  { border, least }: { border: readonly number[]; least: number },
): Reach {
  const side = Math.max(map.width, map.height)
  const unit = Math.max(1, side / 1000)
  const cell = Math.max(12, Math.round(side * cellPart))
  const grid: Grid = {
    cell,
    columns: Math.ceil(map.width / cell),
    unit,
    taps: Math.max(16, Math.round((side * farthest) / unit)),
  }
  const squareOf = (at: number, layer: number) => {
    const [column, row] = [Math.floor((at % map.width) / cell), Math.floor(at / map.width / cell)]
    return (row * grid.columns + column) * mostNumbers + layer
  }
  const sums = sumsOf(map, picture, { border, grid, squareOf })
  const known = new Map<number, number>()
  return (at, layer) => {
    const square = squareOf(at, layer)
    const reach = known.get(square) ?? Math.max(least, Math.ceil(unit * reachOf(summed(square, sums, grid))))
    known.set(square, reach)
    return reach
  }
}

/** For each square the sums of red, green and blue at each point of its lines, and the number of lines that have the point. */
function sumsOf(
  map: LayerMap,
  picture: Pixels,
  {
    border,
    grid,
    squareOf,
  }: { border: readonly number[]; grid: Grid; squareOf: (at: number, layer: number) => number },
): Map<number, Float64Array> {
  const sums = new Map<number, Float64Array>()
  const stride = Math.max(1, Math.round(grid.unit * 2))
  for (const at of border) {
    // A scattered choice: every second pixel of a list by rows could leave out the left side of a thing.
    if ((Math.imul(at, 0x9e3779b1) >>> 16) % stride > 0) continue
    const line = lineFrom(at, map)
    if (!line) continue
    const square = squareOf(at, line.layer)
    const sum = sums.get(square) ?? new Float64Array(grid.taps * 4)
    sums.set(square, sum)
    addLine(sum, { at, ...line, unit: grid.unit }, { map, picture })
  }
  return sums
}

/** The sums of a square and its eight neighbours. */
function summed(
  square: number,
  sums: ReadonlyMap<number, Float64Array>,
  { columns, taps }: Grid,
): Float64Array {
  const all = new Float64Array(taps * 4)
  const own = Math.floor(square / mostNumbers) % columns
  for (const row of [-columns, 0, columns])
    for (const column of [-1, 0, 1]) {
      // The first square of a row is not beside the last one of the row above.
      if (own + column < 0 || own + column >= columns) continue
      sums.get(square + (row + column) * mostNumbers)?.forEach((value, i) => {
        all[i] = (all[i] as number) + value
      })
    }
  return all
}

/** One more than the first tap from which on the mean colours do not change more than the background does. */
function reachOf(sum: Float64Array): number {
  const steps = stepsOf(sum)
  const plain = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 4)] ?? 0
  const most = Math.max(invisibleStep, 3 * plain)
  const last = Math.floor(sum.length / 8)
  for (let tap = 0; tap < last; tap++) if (steps.slice(tap, tap + 3).every(step => step <= most)) return tap
  return steps.length === 0 ? 0 : last
}

/** For each tap the difference between the mean colours of the three taps from it and the three behind those. */
function stepsOf(sum: Float64Array): number[] {
  const steps: number[] = []
  for (let tap = 0; tap + 6 <= sum.length / 4; tap++) {
    if ((sum[(tap + 5) * 4 + 3] as number) < 3) break
    let square = 0
    for (let c = 0; c < 3; c++) square += (meanOf(sum, tap, c) - meanOf(sum, tap + 3, c)) ** 2
    steps.push(Math.sqrt(square))
  }
  return steps
}

function meanOf(sum: Float64Array, tap: number, channel: number): number {
  let mean = 0
  for (let i = tap; i < tap + 3; i++)
    mean += (sum[i * 4 + channel] as number) / (sum[i * 4 + 3] as number) / 3
  return mean
}
