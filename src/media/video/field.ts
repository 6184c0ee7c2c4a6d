/** Columns of macroblocks that are all copied from the same distance, in pixels to the right and down. */
export interface Run {
  columns: number
  dx: number
  dy: number
}

/** Rows of macroblocks with equal runs. The runs fill the whole width. */
export interface Rows {
  count: number
  runs: readonly Run[]
}

/** Where each macroblock (16 by 16 pixels) of a picture is copied from, as distances within its key picture. */
export type Field = readonly Rows[]

/** Whole rows that move together, and patches within them that are copied from elsewhere. All in macroblocks, `dx` and `dy` in pixels. */
export interface Band {
  top: number
  dx: number
  dy: number
}

export interface Patch {
  left: number
  top: number
  columns: number
  rows: number
  dx: number
  dy: number
}

/** The field of a picture of this size. The bands start at 0; a later patch covers an earlier one. */
export function fieldOf(
  { mbWidth, mbHeight }: { mbWidth: number; mbHeight: number },
  bands: readonly Band[],
  patches: readonly Patch[],
): Field {
  const edges = [
    ...bands.map(band => band.top),
    ...patches.flatMap(({ top, rows }) => [top, top + rows]),
    mbHeight,
  ]
  const tops = [...new Set(edges)].filter(top => top <= mbHeight).sort((a, b) => a - b)
  return tops.slice(0, -1).map((top, i) => {
    const band = bands.findLast(each => each.top <= top) ?? { dx: 0, dy: 0 }
    const inRow = patches.filter(patch => patch.top <= top && top < patch.top + patch.rows)
    return { count: (tops[i + 1] ?? top) - top, runs: runsOf(mbWidth, band, inRow) }
  })
}

function runsOf(width: number, band: Pick<Band, 'dx' | 'dy'>, patches: readonly Patch[]): Run[] {
  if (patches.length === 0) return [{ columns: width, dx: band.dx, dy: band.dy }]
  const edges = patches.flatMap(({ left, columns }) => [left, left + columns])
  const lefts = [...new Set([0, ...edges, width])].sort((a, b) => a - b)
  return lefts.slice(0, -1).map((left, i) => {
    const { dx, dy } =
      patches.findLast(patch => patch.left <= left && left < patch.left + patch.columns) ?? band
    return { columns: (lefts[i + 1] ?? left) - left, dx, dy }
  })
}
