import { escapeNal } from '../video/bits.ts'
import type { Field, FieldPart, FieldRows } from '../video/field.ts'
import { mixParts } from '../video/yuv.ts'
import { type CopiedRows, type Slice, SliceWriter, slicesOf } from './slices.ts'
import { type PictureOrder, replaceOrder, writeOrder } from './write-pictures.ts'

/** The same rows of two pictures, of which the second one has so many of 128 parts (1 to 127). */
interface MixedPart {
  first: FieldPart
  second: FieldPart
  parts: number
}

/** A slice without emulation prevention, and where its order begins, in bits. */
interface Written {
  payload: Uint8Array
  orderAt: number
}

/** The binary logarithm of the sum of both weights, less 1. */
const denominator = Math.log2(mixParts) - 1

/** Writes pictures of so many columns of macroblocks that are put together from others, as slices without residue. */
export class CopyWriter {
  readonly #columns: number
  readonly #motion: SliceWriter
  readonly #mixture: SliceWriter
  /** The latest slice that begins with some rows. Those of frames with the same movement differ only in their order. */
  readonly #known = new WeakMap<FieldRows, Slice<FieldRows> & Written>()

  constructor(columns: number) {
    this.#columns = columns
    this.#motion = new SliceWriter('P', columns)
    this.#mixture = new SliceWriter('B', columns)
  }

  /** Rows that are copied piece by piece from the last reference picture. No picture refers to them, so that nothing adds up over time. */
  moved({ fromRow, rows }: FieldPart, order: PictureOrder): Uint8Array[] {
    return slicesOf(fromRow, rows).map(slice => {
      const [first] = slice.rows
      const former = first && this.#known.get(first)
      if (former && isEqual(former, slice)) return escapeNal(withOrder(former, order))
      const written = this.#copied(slice, order, 'unreferenced')
      if (first) this.#known.set(first, { ...slice, ...written })
      return escapeNal(written.payload)
    })
  }

  /** Rows of a reference picture that are copied unchanged from the last one: `count` rows from `fromRow` on. */
  kept({ fromRow, count }: { fromRow: number; count: number }, order: PictureOrder): Uint8Array {
    const still = { count, runs: [{ columns: this.#columns, dx: 0, dy: 0 }] }
    return escapeNal(this.#copied({ row: fromRow, rows: [still] }, order, 'reference').payload)
  }

  #copied(
    { row, rows }: Slice<CopiedRows>,
    order: PictureOrder,
    kind: 'reference' | 'unreferenced',
  ): Written {
    const isReference = kind === 'reference'
    const writer = this.#motion.begin()
    writer.bits(isReference ? 0x21 : 0x01, 8).ue(row * this.#columns)
    writer.ue(0).ue(0)
    const orderAt = writer.position
    writeOrder(writer, order)
    writer.bit(1).ue(0) // one reference picture, in place of the parameter set's number
    writer.bit(0) // in its usual place
    if (isReference) writer.bit(0) // it replaces the former reference
    writer.se(0).ue(1) // the usual quantiser; no deblocking
    return { payload: this.#motion.finish(rows), orderAt }
  }

  /**
   * Rows that are mixed from the two pictures that others refer to, piece by piece: `first` is shown before this picture and `second` after it.
   * No picture refers to the result.
   */
  mixed({ first, second, parts }: MixedPart, order: PictureOrder): Uint8Array[] {
    return slicesOf(first.fromRow, paired(first.rows, second.rows)).map(({ row, rows }) => {
      const writer = this.#mixture.begin()
      writer.bits(0x01, 8).ue(row * this.#columns)
      writer.ue(1).ue(0)
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
      return escapeNal(this.#mixture.finish(rows))
    })
  }
}

function withOrder({ payload, orderAt }: Written, order: PictureOrder): Uint8Array {
  const copy = payload.slice()
  replaceOrder(copy, orderAt, order)
  return copy
}

function isEqual(a: Slice<FieldRows>, b: Slice<FieldRows>): boolean {
  return a.row === b.row && a.rows.length === b.rows.length && a.rows.every((rows, i) => rows === b.rows[i])
}

/** Two fields of the same size as one, for a picture whose pieces come from two others. */
function paired(first: Field, second: Field): CopiedRows[] {
  return together(first, second, ({ count }) => count).map(({ length, a, b }) => ({
    count: length,
    runs: together(a.runs, b.runs, ({ columns }) => columns).map(each => ({
      ...each.a,
      columns: each.length,
      second: each.b,
    })),
  }))
}

/** Two divisions of the same length as one, which is divided where any of them is. */
function together<T>(
  first: readonly T[],
  second: readonly T[],
  lengthOf: (part: T) => number,
): { length: number; a: T; b: T }[] {
  const out: { length: number; a: T; b: T }[] = []
  const left = [first, second].map(parts => parts.map(part => ({ part, length: lengthOf(part) })))
  for (;;) {
    const [a, b] = left.map(([next]) => next)
    if (!a || !b) return out
    const length = Math.min(a.length, b.length)
    out.push({ length, a: a.part, b: b.part })
    for (const next of [a, b]) next.length -= length
    for (const parts of left) if (parts[0]?.length === 0) parts.shift()
  }
}
