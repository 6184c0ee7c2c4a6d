/**
 * The picture that is coded: larger than what is shown, so that content comes in from the right when it moves, and so that hidden
 * columns and rows ("stores") hold pieces that frames copy. All lengths are macroblocks (16 by 16 pixels) unless they say pixels.
 */
export interface CodedPicture {
  /** What is shown, in pixels. */
  width: number
  height: number
  /** Hidden columns at the right. At the left and above nothing is hidden, because Chromium would show it. */
  margin: number
  columns: number
  /** `rows` are shown, at least in part; the rows `below` them are hidden. */
  rows: number
  below: number
  /** The distance that the nearest things move, in pixels: at most the margin. */
  reachPx: number
}

/** The share of the width that the nearest things move. */
const reach = 0.05

/** Hidden pixels at the right. There are few, because many decoders cannot open pictures wider than 4096 pixels. */
export function marginPx(width: number): number {
  return width >= 2560 ? 128 : 64
}

/** The distance that the nearest things move in a picture of this width, in pixels. */
export function reachPx(width: number): number {
  return Math.min(marginPx(width), Math.round(width * reach))
}

/** The coded picture for a size. Besides the margin, `hidden` columns at the right and rows below are not shown. */
export function codedPicture(
  { width, height }: { width: number; height: number },
  hidden: { columns: number; below: number },
): CodedPicture {
  const margin = marginPx(width) / 16
  return {
    width,
    height,
    margin,
    columns: Math.ceil(width / 16) + margin + hidden.columns,
    rows: Math.ceil(height / 16),
    below: hidden.below,
    reachPx: reachPx(width),
  }
}

/** All rows, hidden ones included. */
export function codedRows({ rows, below }: Pick<CodedPicture, 'rows' | 'below'>): number {
  return rows + below
}

/**
 * Table A-1: the level, most macroblocks a picture, most macroblocks a second. Lower levels than 3.1 allow vertical vectors
 * of less than 512 pixels, and are not used.
 */
export const levels: readonly (readonly [level: number, picture: number, second: number])[] = [
  [31, 3_600, 108_000],
  [32, 5_120, 216_000],
  [40, 8_192, 245_760],
  [42, 8_704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
  [52, 36_864, 2_073_600],
  [60, 139_264, 4_177_920],
]

/** The most rows of so many columns that are in the same level as `rows`. More hidden rows would make decoders refuse the picture. */
export function mostRows(columns: number, rows: number): number {
  const [, picture] = levels.find(([, most]) => columns * rows <= most) ?? []
  return picture === undefined ? Number.POSITIVE_INFINITY : Math.floor(picture / columns)
}
