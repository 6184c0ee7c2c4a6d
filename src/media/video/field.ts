/** Neighbouring columns of macroblocks that are copied from the same distance, in pixels to the right and down. */
export interface FieldRun {
  columns: number
  dx: number
  dy: number
}

/** Rows of macroblocks with equal runs. The runs fill the whole width. */
export interface FieldRows {
  count: number
  runs: readonly FieldRun[]
}

/** The distance from which each macroblock (16 by 16 pixels) of a picture is copied, within its key picture. */
export type Field = readonly FieldRows[]

/** Neighbouring rows of a field, from `fromRow` on. */
export interface FieldPart {
  fromRow: number
  rows: Field
}

/** Divides a field above a row. Rows that need no cut stay the same objects. */
export function dividedAt(field: Field, row: number): [above: FieldPart, below: FieldPart] {
  const parts: [FieldRows[], FieldRows[]] = [[], []]
  let top = 0
  for (const rows of field) {
    const pieces = cut(rows, top, new Set([row]))
    for (const piece of pieces) parts[piece.top < row ? 0 : 1].push(piece.rows)
    top += rows.count
  }
  return [
    { fromRow: 0, rows: parts[0] },
    { fromRow: row, rows: parts[1] },
  ]
}

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

/** The field of a picture of this size in which whole bands move. They start at 0. */
export function fieldOf(
  { mbWidth, mbHeight }: { mbWidth: number; mbHeight: number },
  bands: readonly Band[],
): Field {
  return bands.flatMap(({ top, dx, dy }, i) => {
    const count = Math.min(bands[i + 1]?.top ?? mbHeight, mbHeight) - top
    return count > 0 ? [{ count, runs: [{ columns: mbWidth, dx, dy }] }] : []
  })
}

/**
 * The field with patches over it, of which a later one covers an earlier one. Rows without a patch stay the same objects, so that
 * what is known of them can be used again.
 */
export function patched(field: Field, patches: readonly Patch[]): Field {
  const edges = new Set<number>()
  for (const { top, rows } of patches) edges.add(top).add(top + rows)
  const [first, last] = [Math.min(...edges), Math.max(...edges)]
  const out: FieldRows[] = []
  let top = 0
  for (const rows of field) {
    const end = top + rows.count
    if (end <= first || top >= last) out.push(rows)
    else for (const part of cut(rows, top, edges)) out.push(over(part, patches))
    top = end
  }
  return out
}

/** Rows, and the line where they begin. */
interface Placed {
  top: number
  rows: FieldRows
}

/** The rows from `top` on, divided at the edges that lie within them. */
function cut(rows: FieldRows, top: number, edges: ReadonlySet<number>): Placed[] {
  const inside = [...edges].filter(edge => top < edge && edge < top + rows.count).sort((a, b) => a - b)
  if (inside.length === 0) return [{ top, rows }]
  return [top, ...inside].map((from, i) => ({
    top: from,
    rows: { count: (inside[i] ?? top + rows.count) - from, runs: rows.runs },
  }))
}

function over({ top, rows }: Placed, patches: readonly Patch[]): FieldRows {
  const inRow = patches.filter(patch => patch.top <= top && top < patch.top + patch.rows)
  return inRow.length === 0 ? rows : { count: rows.count, runs: runsOver(rows.runs, inRow) }
}

function runsOver(runs: readonly FieldRun[], patches: readonly Patch[]): FieldRun[] {
  const width = runs.reduce((sum, { columns }) => sum + columns, 0)
  const shown = new Array<Distance>(width)
  let left = 0
  for (const run of runs) {
    shown.fill(run, left, left + run.columns)
    left += run.columns
  }
  for (const patch of patches) shown.fill(patch, patch.left, patch.left + patch.columns)
  const out: FieldRun[] = []
  for (let from = 0, to = 1; from < width; from = to, to++) {
    const piece = shown[from] as Distance
    while (shown[to] === piece) to++
    out.push({ columns: to - from, dx: piece.dx, dy: piece.dy })
  }
  return out
}

type Distance = Pick<FieldRun, 'dx' | 'dy'>
