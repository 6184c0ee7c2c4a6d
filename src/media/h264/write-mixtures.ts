import { BitWriter, escapeNal } from '../video/bits.ts'
import type { Field, FieldPart, FieldRun } from '../video/field.ts'
import { mixParts } from '../video/yuv.ts'
import { predictedVector, quarters, slicesOf, widest } from './slices.ts'
import { type PictureOrder, writeOrder } from './write-pictures.ts'

/** The same rows of two pictures, of which the second one has so many of 128 parts (1 to 127). */
interface MixedPart {
  first: FieldPart
  second: FieldPart
  parts: number
}

/**
 * Writes rows that are mixed from the two pictures that others refer to, piece by piece, as slices of B macroblocks without residue.
 * `first` is shown before this picture and `second` after it. No picture refers to the result.
 */
export type MixtureWriter = (part: MixedPart, order: PictureOrder) => Uint8Array[]

/** A writer for pictures of so many columns of macroblocks. */
export function createMixtureWriter(mbWidth: number): MixtureWriter {
  const writer = new MixedSliceWriter(mbWidth)
  return ({ first, second, parts }, order) =>
    slicesOf({ fromRow: first.fromRow, rows: paired(first.rows, second.rows) }, movesAnew).map(
      ({ row, rows }) => {
        writer.begin({ ...order, firstMb: row * mbWidth, parts })
        for (const { count, runs } of rows) for (let i = 0; i < count; i++) writer.row(runs)
        return escapeNal(writer.finish())
      },
    )
}

/** Whether a new slice is shorter: below rows that move otherwise, every macroblock of a row would need a difference of its own. */
function movesAnew(rows: PairedRows, before: PairedRows): boolean {
  const main = widest(rows.runs)
  return main?.distances.some(each => each !== 0) === true && !isSame(main, widest(before.runs))
}

function isSame(a: PairedRun | undefined, b: PairedRun | undefined): boolean {
  return a !== undefined && b !== undefined && a.distances.every((each, i) => each === b.distances[i])
}

/** The binary logarithm of the sum of both weights, less 1. */
const denominator = Math.log2(mixParts) - 1

/** B_Bi_16x16 in Table 7-14. */
const biPredicted = 3

interface Header extends PictureOrder {
  firstMb: number
  parts: number
}

/**
 * Writes one slice of whole rows after the other. A skipped macroblock takes the predicted vectors of both lists (8.4.1.2.2),
 * without the exception for resting ones: the rows that it covers are intra coded in the second picture.
 */
class MixedSliceWriter {
  readonly #writer = new BitWriter()
  readonly #width: number
  /** For each of the four distances the values of a row, in quarters of a pixel. */
  #current: Int32Array[]
  #above: Int32Array[]
  /** The row above, when it is a single run. */
  #uniform: PairedRun | undefined
  #hasAbove = false
  #skipped = 0

  constructor(width: number) {
    this.#width = width
    this.#current = Array.from({ length: 4 }, () => new Int32Array(width))
    this.#above = Array.from({ length: 4 }, () => new Int32Array(width))
  }

  begin({ firstMb, parts, ...order }: Header): void {
    this.#hasAbove = false
    this.#uniform = undefined
    this.#skipped = 0
    const writer = this.#writer.clear().bits(0x01, 8).ue(firstMb).ue(1).ue(0)
    writeOrder(writer, order)
    writer.bit(1) // skipped macroblocks follow their neighbours
    writer.bit(1).ue(0).ue(0) // one reference picture in each list, in place of the parameter set's number
    writer.bit(0).bit(0) // in their usual places
    writer.ue(denominator).ue(denominator)
    for (const weight of [mixParts - parts, parts]) {
      writer.bit(1).se(weight).se(0)
      writer.bit(1).se(weight).se(0).se(weight).se(0)
    }
    writer.se(0).ue(1) // the usual quantiser; no deblocking
  }

  row(runs: readonly PairedRun[]): void {
    const only = runs.length === 1 ? runs[0] : undefined
    if (only && isSame(only, this.#uniform)) this.#skipped += this.#width
    else this.#mixed(runs)
    this.#hasAbove = true
    this.#uniform = only
  }

  finish(): Uint8Array {
    if (this.#skipped > 0) this.#writer.ue(this.#skipped)
    return this.#writer.trailing().toBytes()
  }

  #mixed(runs: readonly PairedRun[]): void {
    let from = 0
    for (const { columns, distances } of runs) {
      for (const [i, values] of this.#current.entries())
        values.fill((distances[i] ?? 0) * quarters, from, from + columns)
      from += columns
    }
    for (let column = 0; column < this.#width; column++) this.#macroblock(column)
    ;[this.#current, this.#above] = [this.#above, this.#current]
  }

  #macroblock(column: number): void {
    const differences = this.#current.map((values, i) => {
      const predicted = predictedVector(column, values, this.#hasAbove ? this.#above[i] : undefined)
      return (values[column] as number) - predicted
    })
    if (differences.every(each => each === 0)) {
      this.#skipped++
      return
    }
    this.#writer.ue(this.#skipped).ue(biPredicted)
    for (const difference of differences) this.#writer.se(difference)
    this.#writer.ue(0) // no residue
    this.#skipped = 0
  }
}

/** The distances of neighbouring columns in both pictures: right and down in the first one, then in the second, in pixels. */
interface PairedRun {
  columns: number
  distances: readonly [number, number, number, number]
}

/** Rows of macroblocks with equal runs. The runs fill the whole width. */
interface PairedRows {
  count: number
  runs: readonly PairedRun[]
}

/** Two fields of the same size as one, for a picture whose pieces come from two others. */
function paired(first: Field, second: Field): PairedRows[] {
  return together(first, second, 'count').map(({ length, a, b }) => ({
    count: length,
    runs: together<FieldRun, 'columns'>(a.runs, b.runs, 'columns').map(each => ({
      columns: each.length,
      distances: [each.a.dx, each.a.dy, each.b.dx, each.b.dy],
    })),
  }))
}

/** Two divisions of the same length as one, which is divided where any of them is. */
function together<T extends Record<K, number>, K extends string>(
  first: readonly T[],
  second: readonly T[],
  key: K,
): { length: number; a: T; b: T }[] {
  const out: { length: number; a: T; b: T }[] = []
  let [i, j, leftA, leftB] = [0, 0, first[0]?.[key] ?? 0, second[0]?.[key] ?? 0]
  for (let a = first[0], b = second[0]; a && b; ) {
    const length = Math.min(leftA, leftB)
    out.push({ length, a, b })
    leftA -= length
    leftB -= length
    if (leftA === 0) {
      a = first[++i]
      leftA = a?.[key] ?? 0
    }
    if (leftB === 0) {
      b = second[++j]
      leftB = b?.[key] ?? 0
    }
  }
  return out
}
