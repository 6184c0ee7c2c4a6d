/**
 * The picture that is coded: larger than what is shown, so that content comes in from the sides when it moves, and so that pieces
 * wait in hidden rows ("shelves") until they are shown. All lengths are macroblocks (16 by 16 pixels) unless they say pixels.
 */
export interface CodedPicture {
  /** What is shown, in pixels. */
  width: number
  height: number
  /** Hidden columns at the left, and at least as many at the right. */
  margin: number
  columns: number
  /** Hidden rows above, the rows of which something is shown, hidden rows below. */
  above: number
  rows: number
  below: number
  /** How far the nearest things move to either side, in pixels: less than the margin. */
  reachPx: number
}

export interface Shelves {
  above: number
  below: number
}

/** The share of the width that the nearest things move to either side. */
const reach = 0.05

/** Decoders round a hidden left edge down to 64 pixels; many cannot open more than 4096 columns, which a 4k picture reaches with 128. */
export function marginPx(width: number): number {
  return width >= 2560 ? 128 : 64
}

export function codedPicture(
  { width, height }: { width: number; height: number },
  shelves: Shelves,
): CodedPicture {
  const margin = marginPx(width) / 16
  return {
    width,
    height,
    margin,
    columns: Math.ceil(width / 16) + 2 * margin,
    rows: Math.ceil(height / 16),
    ...shelves,
    reachPx: Math.min(margin * 16, Math.round(width * reach)),
  }
}

/** All rows, hidden ones included. */
export function codedRows({ above, rows, below }: CodedPicture): number {
  return above + rows + below
}

/** How the SPS describes it. */
export function geometryOf(picture: CodedPicture, fps: number) {
  const { width, height, margin, columns, above } = picture
  const [codedWidth, codedHeight] = [columns * 16, codedRows(picture) * 16]
  const [left, top] = [margin * 16, above * 16]
  const hidden = { left, right: codedWidth - left - width, top, bottom: codedHeight - top - height }
  return { codedWidth, codedHeight, hidden, fps }
}
