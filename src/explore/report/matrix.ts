import type { Row } from '../judge/row.ts'
import { type Level, possibleVerdicts, type Verdict } from '../judge/verdicts.ts'
import { nameOfCall } from '../plan/case.ts'

/** The sign of each verdict in the matrix. None is a digit, which would be read as a count. */
export const signs: Readonly<Record<Verdict, string>> = {
  recovered: '✓',
  resumed: '✓',
  told: '·',
  rude: '~',
  uncaught: 'u',
  unfinished: '?',
  unsteady: '!',
  not_reached: '-',
  false_success: 'F',
  hung: 'H',
  crashed: 'C',
  paid_twice: 'T',
  paid_for_nothing: 'N',
  paid_again: 'T',
  lost: 'L',
  stuck: 'S',
}

/** How a sign is painted on a terminal. */
export type Paint = (text: string, judged: { verdict: Verdict; level: Level }) => string

/** The matrix: a row for each call, a column for each failure. */
export function matrixOf(cases: readonly Row[], paint: Paint = text => text): string {
  const grid = gridOf(cases)
  if (grid.ids.length === 0) return 'No case was tried.'
  return blocksOf(grid)
    .map(block => blockText(block, paint))
    .join('\n\n')
}

const mostColumns = 24

/** The calls and the failures of a matrix in their order, and its cells. */
export interface Grid {
  calls: string[]
  ids: string[]
  cell(call: string, id: string): Row | undefined
  /** The services of a system that made a call, of which a scale may run several: `worker-1, worker-2`. Empty for a single program. */
  callers(call: string): string
}

export function gridOf(cases: readonly Row[]): Grid {
  const single = cases.filter(({ and }) => and === undefined)
  const cells = new Map(single.map(row => [`${nameOfCall(row)} ${row.id}`, row]))
  return {
    calls: [...new Set(single.map(nameOfCall))],
    ids: [...new Set(single.map(({ id }) => id))],
    cell: (call, id) => cells.get(`${call} ${id}`),
    callers: call => {
      const made = single.filter(row => nameOfCall(row) === call).flatMap(({ service }) => service ?? [])
      return [...new Set(made)].sort().join(', ')
    },
  }
}

/** Blocks with as many failures as fit side by side. Each shows only the calls that meet its failures. */
function blocksOf({ calls, ids, ...grid }: Grid): Grid[] {
  const blocks: Grid[] = []
  for (let first = 0; first < ids.length; first += mostColumns) {
    const part = ids.slice(first, first + mostColumns)
    blocks.push({ calls: calls.filter(call => part.some(id => grid.cell(call, id))), ids: part, ...grid })
  }
  return blocks
}

function blockText({ calls, ids, cell, callers }: Grid, paint: Paint): string {
  const longest = Math.max(...calls.map(call => call.length))
  const names = calls.map(call => `${call.padEnd(longest)}  ${callers(call)}`.trimEnd())
  const width = Math.max(...names.map(name => name.length))
  const heading = ids.map(
    (id, index) =>
      `${' '.repeat(width + 1)}${ids
        .slice(0, index)
        .map(() => '│ ')
        .join('')}┌ ${id}`,
  )
  const rows = calls.map((call, index) => {
    const line = ids.map(id => {
      const row = cell(call, id)
      return row ? paint(signs[row.verdict], row) : ' '
    })
    return `${(names[index] ?? call).padEnd(width)} ${line.join(' ')}`.trimEnd()
  })
  return [...heading, ...rows].join('\n')
}

/** What the signs mean, the best first. */
export function legendOf(rows: readonly Row[]): string {
  return possibleVerdicts(rows)
    .toReversed()
    .map(verdict => `${signs[verdict]} ${verdict.replaceAll('_', ' ')}`)
    .join('  ')
}
