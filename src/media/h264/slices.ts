import { BitWriter } from '../video/bits.ts'
import type { FieldRun } from '../video/field.ts'

/** Neighbouring columns that are copied from one picture, or mixed from two: `second` is the distance in the other one. Pixels. */
export interface CopiedRun extends FieldRun {
  second?: Pick<FieldRun, 'dx' | 'dy'>
}

/** Rows of macroblocks with equal runs. The runs fill the whole width. */
export interface CopiedRows {
  count: number
  runs: readonly CopiedRun[]
}

/** Rows of macroblocks that are coded as one slice. `row` is the first one, counted from the top of the picture. */
export interface Slice<Rows> {
  row: number
  rows: Rows[]
}

/**
 * Groups rows into slices. A new slice is shorter below rows that move otherwise, where every macroblock of a row would need a difference
 * of its own.
 */
export function slicesOf<Rows extends CopiedRows>(fromRow: number, all: readonly Rows[]): Slice<Rows>[] {
  const slices: Slice<Rows>[] = []
  let row = fromRow
  for (const rows of all) {
    const slice = slices.at(-1)
    const before = slice?.rows.at(-1)
    if (!slice || !before || movesAnew(widest(rows), widest(before))) slices.push({ row, rows: [rows] })
    else slice.rows.push(rows)
    row += rows.count
  }
  return slices
}

/** The widest run. Where two are equal, the first. */
function widest({ runs }: CopiedRows): CopiedRun {
  return runs.reduce((best, run) => (run.columns > best.columns ? run : best))
}

function movesAnew(run: CopiedRun, before: CopiedRun): boolean {
  return isMoving(run) && !isSame(run, before)
}

/** In quarters of a pixel, the unit of vectors. */
function vectorsOf({ dx, dy, second }: CopiedRun): number[] {
  return (second ? [dx, dy, second.dx, second.dy] : [dx, dy]).map(pixels => pixels * 4)
}

function isMoving({ dx, dy, second }: CopiedRun): boolean {
  return [dx, dy, second?.dx, second?.dy].some(distance => distance)
}

function isSame(a: CopiedRun, b: CopiedRun): boolean {
  return a.dx === b.dx && a.dy === b.dy && a.second?.dx === b.second?.dx && a.second?.dy === b.second?.dy
}

/** In Table 7-13: P_L0_16x16. In Table 7-14: B_Bi_16x16. */
const types = { P: 0, B: 3 }

/** Writes one slice of whole rows after the other, without residue. Follows the prediction of vectors in H.264, 8.4.1.1 to 8.4.1.3. */
export class SliceWriter {
  readonly #kind: 'P' | 'B'
  readonly #writer = new BitWriter()
  /** Each side of the vectors for the columns of a row, and of the row above. */
  #current: Int32Array[]
  #above: Int32Array[]
  /** The runs of the row above; none in the first row of a slice. */
  #runsAbove: readonly CopiedRun[] | undefined
  #skipped = 0
  readonly #differences: number[] = []

  constructor(kind: 'P' | 'B', width: number) {
    this.#kind = kind
    const sides = kind === 'P' ? 2 : 4
    this.#current = Array.from({ length: sides }, () => new Int32Array(width))
    this.#above = Array.from({ length: sides }, () => new Int32Array(width))
  }

  /** Begins a slice, whose header is to be written now. */
  begin(): BitWriter {
    this.#runsAbove = undefined
    this.#skipped = 0
    return this.#writer.clear()
  }

  /** Writes rows, and returns the slice without emulation prevention. */
  finish(rows: readonly CopiedRows[]): Uint8Array {
    for (const { count, runs } of rows) for (let i = 0; i < count; i++) this.#row(runs)
    if (this.#skipped > 0) this.#writer.ue(this.#skipped)
    return this.#writer.trailing().toBytes()
  }

  #row(runs: readonly CopiedRun[]): void {
    let from = 0
    for (const run of runs) {
      const end = from + run.columns
      for (const [i, value] of vectorsOf(run).entries()) this.#current[i]?.fill(value, from, end)
      from = end
    }
    let column = 0
    for (const run of runs) {
      const end = column + run.columns
      this.#macroblock(column++)
      const next = Math.min(end, Math.max(column, this.#skippedUpTo(run, column)))
      this.#skipped += next - column
      for (column = next; column < end; column++) this.#macroblock(column)
    }
    ;[this.#current, this.#above] = [this.#above, this.#current]
    this.#runsAbove = runs
  }

  /**
   * The column up to which the macroblocks of a run are skipped, from its second one at `column` on: where the row above moves like it, and in P
   * slices where it rests.
   */
  #skippedUpTo(run: CopiedRun, column: number): number {
    if (this.#kind === 'P' && !isMoving(run)) return column + run.columns
    let end = 0
    for (const above of this.#runsAbove ?? []) {
      end += above.columns
      if (end > column) return isSame(run, above) ? end : column
    }
    return column
  }

  #macroblock(column: number): void {
    const rests = this.#kind === 'P' && this.#skipsToZero(column)
    let isSkipped = true
    for (let side = 0; side < this.#current.length; side++) {
      const value = this.#current[side]?.[column] as number
      const predicted = this.#predicted(side, column)
      this.#differences[side] = value - predicted
      if (value !== (rests ? 0 : predicted)) isSkipped = false
    }
    if (isSkipped) {
      this.#skipped++
      return
    }
    this.#writer.ue(this.#skipped).ue(types[this.#kind])
    for (const difference of this.#differences) this.#writer.se(difference)
    this.#writer.ue(0) // no residue
    this.#skipped = 0
  }

  /**
   * One side of the predicted vector (8.4.1.3): the median of three neighbours, which are left, above, and above right (at the right edge: above
   * left). The first row of a slice has nothing above it, and takes the left one. All vectors belong to the same reference picture.
   */
  #predicted(side: number, column: number): number {
    const [current, above] = [this.#current[side], this.#above[side]] as [Int32Array, Int32Array]
    const left = column > 0 ? (current[column - 1] as number) : 0
    if (!this.#runsAbove) return left
    const top = above[column] as number
    const corner = above[column + 1 < above.length ? column + 1 : column - 1] as number
    return Math.max(Math.min(left, top), Math.min(Math.max(left, top), corner))
  }

  /** Whether a skipped P macroblock rests here, whatever is predicted (8.4.1.1). */
  #skipsToZero(column: number): boolean {
    if (column === 0 || !this.#runsAbove) return true
    return (
      this.#current.every(side => side[column - 1] === 0) || this.#above.every(side => side[column] === 0)
    )
  }
}
