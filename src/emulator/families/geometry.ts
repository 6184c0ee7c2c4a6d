/** Width and height in pixels. */
export type Size = readonly [width: number, height: number]

/**
 * Even sides with about `pixels` in total and the given width divided by height. Rounding never makes the
 * picture more elongated than requested: a file at the limit for inputs must remain a valid input.
 */
export function sizeOfArea(pixels: number, aspect: number): Size {
  const [width, height] = [Math.sqrt(pixels * aspect), Math.sqrt(pixels / aspect)]
  const [long, short] = [evenBelow(Math.max(width, height)), evenAbove(Math.min(width, height))]
  return width >= height ? [Math.max(long, short), short] : [short, Math.max(long, short)]
}

function evenBelow(value: number): number {
  return Math.max(2, Math.floor(value / 2 + 1e-9) * 2)
}

function evenAbove(value: number): number {
  return Math.max(2, Math.ceil(value / 2 - 1e-9) * 2)
}

/** The listed ratio `W:H` nearest to an aspect, and their difference as a fraction. */
export function nearestRatio<R extends string>(
  aspect: number,
  ratios: readonly [R, ...R[]],
): { ratio: R; offBy: number } {
  const candidates = ratios.map(ratio => ({ ratio, offBy: Math.abs(Math.log(aspect / aspectOf(ratio))) }))
  return candidates.reduce((best, one) => (one.offBy < best.offBy ? one : best))
}

/** Width divided by height of a ratio such as `16:9`. */
export function aspectOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

/** The simplest ratio of small whole numbers within 1 % of an aspect: `5:4`, `7:5`. */
export function simpleRatio(aspect: number): string {
  for (let height = 1; height <= 32; height++) {
    const width = Math.round(aspect * height)
    if (width >= 1 && Math.abs(width / height / aspect - 1) < 0.01) return `${width}:${height}`
  }
  return `${Math.round(aspect * 100)}:100`
}

type Portrait<R extends string> = R extends `${infer W}:${infer H}` ? `${H}:${W}` : never

/** A table of sizes by ratio, completed with the portrait of each landscape: 3:4 is 4:3 turned. */
export function bothWays<const R extends string>(
  table: Readonly<Record<R, Size>>,
): Readonly<Record<R | Portrait<R>, Size>> {
  const turned = Object.entries<Size>(table).map(([ratio, [width, height]]) => [
    ratio.split(':').reverse().join(':'),
    [height, width],
  ])
  return { ...Object.fromEntries(turned), ...table }
}
