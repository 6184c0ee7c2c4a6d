/** Neighbouring columns of macroblocks that are copied from the same distance, in pixels to the right and down. */
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

/** The distance from which each macroblock (16 by 16 pixels) of a picture is copied, within its key picture. */
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
  return topsOf(mbHeight, bands, patches).map((top, i, tops) => {
    const inRow = patches.filter(patch => patch.top <= top && top < patch.top + patch.rows)
    const count = (tops[i + 1] ?? mbHeight) - top
    return { count, runs: runsOf(mbWidth, bandAt(bands, top), inRow) }
  })
}

/** The rows at which something begins or ends. */
function topsOf(mbHeight: number, bands: readonly Band[], patches: readonly Patch[]): number[] {
  const edges = new Set<number>()
  for (const { top } of bands) edges.add(top)
  for (const { top, rows } of patches) edges.add(top).add(top + rows)
  return [...edges].filter(edge => edge < mbHeight).sort((a, b) => a - b)
}

function bandAt(bands: readonly Band[], row: number): Distance {
  return bands.findLast(band => band.top <= row) ?? { dx: 0, dy: 0 }
}

type Distance = Pick<Run, 'dx' | 'dy'>

function runsOf(width: number, band: Distance, patches: readonly Patch[]): Run[] {
  if (patches.length === 0) return [{ columns: width, dx: band.dx, dy: band.dy }]
  const shown = new Array<Distance>(width).fill(band)
  for (const patch of patches) shown.fill(patch, patch.left, patch.left + patch.columns)
  const runs: Run[] = []
  shown.forEach((piece, column) => {
    const last = runs.at(-1)
    if (last && piece === shown[column - 1]) last.columns++
    else runs.push({ columns: 1, dx: piece.dx, dy: piece.dy })
  })
  return runs
}
