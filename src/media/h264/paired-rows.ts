import type { Field, FieldRun } from '../video/field.ts'

/** The distances of neighbouring columns in both pictures: right and down in the first one, then in the second, in pixels. */
export interface PairedRun {
  columns: number
  distances: readonly [number, number, number, number]
}

/** Rows of macroblocks with equal runs. The runs fill the whole width. */
export interface PairedRows {
  count: number
  runs: readonly PairedRun[]
}

/** Two fields of the same size as one, for a picture whose pieces come from two others. */
export function paired(first: Field, second: Field): PairedRows[] {
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
