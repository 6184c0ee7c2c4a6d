import { BitWriter, escapeNal } from '../video/bits.ts'
import type { FieldPart, FieldRows, FieldRun } from '../video/field.ts'
import { predictedVector, quarters, type Slice, slicesOf, widest } from './slices.ts'
import { type PictureOrder, replaceOrder, writeOrder } from './write-pictures.ts'

/** No macroblock skipped, P_L0_16x16, no difference in either direction, no residue: five times the code 1. */
const bitsOfNoDifference = 5

/** Writes pictures that are copied from the last reference picture, as slices of P macroblocks without residue. */
export interface MotionWriter {
  /** Rows that are copied piece by piece. No picture refers to them, so that nothing adds up over time. */
  moved(part: FieldPart, order: PictureOrder): Uint8Array[]
  /** Rows of a reference picture that are copied unchanged: `count` rows from `fromRow` on. */
  kept(rows: { fromRow: number; count: number }, order: PictureOrder): Uint8Array
}

/** A writer for pictures of so many columns of macroblocks. It uses the same memory for each slice. */
export function createMotionWriter(mbWidth: number): MotionWriter {
  const writer = new SliceWriter(mbWidth)
  const write = (rows: readonly FieldRows[], header: Header): Written => {
    writer.begin(header)
    for (const { count, runs } of rows) for (let i = 0; i < count; i++) writer.row(runs)
    return writer.finish()
  }
  const known = new WeakMap<FieldRows, Slice<FieldRows> & Written>()
  /** The slices of frames with the same movement differ only in their order. */
  const moved = (slice: Slice<FieldRows>, order: PictureOrder): Uint8Array => {
    const [first] = slice.rows
    const former = first && known.get(first)
    if (former && isEqual(former, slice)) return escapeNal(withOrder(former, order))
    const written = write(slice.rows, { ...order, firstMb: slice.row * mbWidth, kind: 'unreferenced' })
    if (first) known.set(first, { ...slice, ...written })
    return escapeNal(written.payload)
  }
  return {
    moved: (part, order) => slicesOf(part, movesAnew).map(slice => moved(slice, order)),
    kept: ({ fromRow, count }, order) => {
      const still = { count, runs: [{ columns: mbWidth, dx: 0, dy: 0 }] }
      return escapeNal(write([still], { ...order, firstMb: fromRow * mbWidth, kind: 'reference' }).payload)
    },
  }
}

/** A slice without emulation prevention, and where its order begins, in bits. */
interface Written {
  payload: Uint8Array
  orderAt: number
}

function withOrder({ payload, orderAt }: Written, order: PictureOrder): Uint8Array {
  const copy = payload.slice()
  replaceOrder(copy, orderAt, order)
  return copy
}

function isEqual(a: Slice<FieldRows>, b: Slice<FieldRows>): boolean {
  return a.row === b.row && a.rows.length === b.rows.length && a.rows.every((rows, i) => rows === b.rows[i])
}

interface Header extends PictureOrder {
  firstMb: number
  kind: 'reference' | 'unreferenced'
}

/** Whether a new slice is shorter: below rows that move otherwise, every macroblock of a row would need a difference of its own. */
function movesAnew(rows: FieldRows, before: FieldRows): boolean {
  const main = widest(rows.runs)
  return isMoving(main) && !isSame(main, widest(before.runs))
}

function isMoving(run: FieldRun | undefined): boolean {
  return run !== undefined && (run.dx !== 0 || run.dy !== 0)
}

function isSame(a: FieldRun | undefined, b: FieldRun | undefined): boolean {
  return a?.dx === b?.dx && a?.dy === b?.dy
}

/** Writes one slice of whole rows after the other. Follows the prediction of vectors in H.264, 8.4.1.1 and 8.4.1.3. */
class SliceWriter {
  readonly #writer = new BitWriter()
  readonly #width: number
  #x: Int32Array
  #y: Int32Array
  #aboveX: Int32Array
  #aboveY: Int32Array
  /** The runs of the row above; none in the first row of a slice. */
  #above: readonly FieldRun[] | undefined
  #skipped = 0
  #orderAt = 0

  constructor(width: number) {
    this.#width = width
    this.#x = new Int32Array(width)
    this.#y = new Int32Array(width)
    this.#aboveX = new Int32Array(width)
    this.#aboveY = new Int32Array(width)
  }

  begin({ kind, firstMb, ...order }: Header): void {
    this.#above = undefined
    this.#skipped = 0
    const isReference = kind === 'reference'
    const writer = this.#writer.clear()
    writer
      .bits(isReference ? 0x21 : 0x01, 8)
      .ue(firstMb)
      .ue(0)
      .ue(0)
    this.#orderAt = writer.position
    writeOrder(writer, order)
    writer.bit(1).ue(0) // one reference picture, in place of the parameter set's number
    writer.bit(0) // in its usual place
    if (isReference) writer.bit(0) // it replaces the former reference
    writer.se(0).ue(1) // the usual quantiser; no deblocking
  }

  row(runs: readonly FieldRun[]): void {
    const [only] = runs
    if (only && runs.length === 1) this.#uniform(only)
    else this.#mixed(runs)
    this.#above = runs
  }

  /** Most rows have a single run. Their codes do not depend on each macroblock. */
  #uniform(run: FieldRun): void {
    const above = this.#above?.length === 1 ? this.#above[0] : undefined
    if (!isMoving(run)) {
      this.#skipped += this.#width
      this.#fill(this.#aboveX, this.#aboveY, [run])
    } else if (above && isSame(run, above)) {
      this.#code(0, 0)
      this.#skipped += this.#width - 1
    } else if (!this.#above) {
      this.#code(run.dx * quarters, run.dy * quarters)
      this.#writer.ones((this.#width - 1) * bitsOfNoDifference)
      this.#fill(this.#aboveX, this.#aboveY, [run])
    } else {
      this.#mixed([run])
    }
  }

  #mixed(runs: readonly FieldRun[]): void {
    this.#fill(this.#x, this.#y, runs)
    let column = 0
    for (const run of runs) {
      const end = column + run.columns
      this.#macroblock(column++)
      const from = Math.max(column, Math.min(end, isMoving(run) ? this.#endAbove(run, column) : end))
      this.#skipped += from - column
      for (column = from; column < end; column++) this.#macroblock(column)
    }
    ;[this.#x, this.#aboveX] = [this.#aboveX, this.#x]
    ;[this.#y, this.#aboveY] = [this.#aboveY, this.#y]
  }

  finish(): Written {
    if (this.#skipped > 0) this.#writer.ue(this.#skipped)
    return { payload: this.#writer.trailing().toBytes(), orderAt: this.#orderAt }
  }

  /** The column up to which the row above moves like this run, from `column` on. There, all but the first macroblock of the run are skipped. */
  #endAbove(run: FieldRun, column: number): number {
    let end = 0
    for (const above of this.#above ?? []) {
      end += above.columns
      if (end > column) return isSame(run, above) ? end : column
    }
    return column
  }

  #fill(toX: Int32Array, toY: Int32Array, runs: readonly FieldRun[]): void {
    let from = 0
    for (const { columns, dx, dy } of runs) {
      toX.fill(dx * quarters, from, from + columns)
      toY.fill(dy * quarters, from, from + columns)
      from += columns
    }
  }

  #macroblock(column: number): void {
    const [x, y] = [this.#x[column] as number, this.#y[column] as number]
    const px = predictedVector(column, this.#x, this.#above ? this.#aboveX : undefined)
    const py = predictedVector(column, this.#y, this.#above ? this.#aboveY : undefined)
    const isSkippable = this.#skipsToZero(column) ? x === 0 && y === 0 : x === px && y === py
    if (isSkippable) this.#skipped++
    else this.#code(x - px, y - py)
  }

  /** P_L0_16x16 with this difference from the predicted vector, and no residue. */
  #code(differenceX: number, differenceY: number): void {
    this.#writer.ue(this.#skipped).ue(0).se(differenceX).se(differenceY).ue(0)
    this.#skipped = 0
  }

  #skipsToZero(column: number): boolean {
    if (column === 0 || !this.#above) return true
    const isLeftStill = this.#x[column - 1] === 0 && this.#y[column - 1] === 0
    return isLeftStill || (this.#aboveX[column] === 0 && this.#aboveY[column] === 0)
  }
}
