/**
 * One side of the vector that H.264 predicts for a macroblock (8.4.1.3): the median of those at the left, above, and above to the
 * right (or to the left, at the right edge). `current` is filled up to the column; a slice's first row has none above. All vectors
 * belong to the same reference picture.
 */
export function predictedVector(column: number, current: Int32Array, above: Int32Array | undefined): number {
  const left = column > 0 ? (current[column - 1] as number) : 0
  if (!above) return left
  const top = above[column] as number
  const corner = above[column + 1 < above.length ? column + 1 : column - 1] as number
  return Math.max(Math.min(left, top), Math.min(Math.max(left, top), corner))
}
