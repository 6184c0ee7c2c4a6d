/** Quarters of a pixel: the unit of vectors in H.264. */
export const quarters = 4

/** The widest run of a row. Where two are equal, the first. */
export function widest<Run extends { columns: number }>(runs: readonly Run[]): Run | undefined {
  let best = runs[0]
  for (const run of runs) if (best && run.columns > best.columns) best = run
  return best
}

/** Rows of macroblocks that are coded as one slice. `row` is the first one, counted from the top of the picture. */
export interface Slice<Rows> {
  row: number
  rows: Rows[]
}

/** Groups rows into slices. `begins` says whether rows below these others need a slice of their own. */
export function slicesOf<Rows extends { count: number }>(
  { fromRow, rows }: { fromRow: number; rows: readonly Rows[] },
  begins: (rows: Rows, before: Rows) => boolean,
): Slice<Rows>[] {
  const slices: Slice<Rows>[] = []
  let row = fromRow
  let before: Rows | undefined
  for (const each of rows) {
    const slice = slices.at(-1)
    if (!slice || !before || begins(each, before)) slices.push({ row, rows: [each] })
    else slice.rows.push(each)
    row += each.count
    before = each
  }
  return slices
}

/**
 * One side of the vector that H.264 predicts for a macroblock (8.4.1.3): the median of three neighbours, which are left, above, and above
 * right (at the right edge: above left). `current` is filled up to the column. The first row of a slice has nothing above it, and takes
 * the left one. All vectors belong to the same reference picture.
 */
export function predictedVector(column: number, current: Int32Array, above: Int32Array | undefined): number {
  const left = column > 0 ? (current[column - 1] as number) : 0
  if (!above) return left
  const top = above[column] as number
  const corner = above[column + 1 < above.length ? column + 1 : column - 1] as number
  return Math.max(Math.min(left, top), Math.min(Math.max(left, top), corner))
}
