import type { Row } from '../judge/row.ts'
import { type Level, possibleVerdicts, type Verdict } from '../judge/verdicts.ts'
import { nameOfCall } from '../plan/case.ts'

/** The sign of each verdict in the matrix. */
export const signs: Readonly<Record<Verdict, string>> = {
  recovered: '✓',
  resumed: '✓',
  told: '·',
  rude: '~',
  uncaught: 'u',
  unfinished: '?',
  false_success: 'F',
  hung: 'H',
  crashed: 'C',
  paid_twice: '2',
  paid_for_nothing: '0',
  paid_again: '2',
  lost: '0',
  stuck: 'S',
}

/** How a sign is painted on a terminal. */
export type Paint = (text: string, judged: { verdict: Verdict; level: Level }) => string

/** The matrix: a row for each call, a column for each failure. */
export function matrixOf(cases: readonly Row[], paint: Paint = text => text): string {
  const single = cases.filter(({ and }) => and === undefined)
  if (single.length === 0) return 'No case was tried.'
  return blocksOf(single)
    .map(block => blockText(block, paint))
    .join('\n\n')
}

const mostColumns = 24

interface Block {
  calls: string[]
  ids: string[]
  cells: Map<string, Row>
}

/** Blocks with as many failures as fit side by side. Each shows only the calls that meet its failures. */
function blocksOf(cases: readonly Row[]): Block[] {
  const calls = [...new Set(cases.map(nameOfCall))]
  const ids = [...new Set(cases.map(({ id }) => id))]
  const cells = new Map(cases.map(row => [`${nameOfCall(row)} ${row.id}`, row]))
  const blocks: Block[] = []
  for (let at = 0; at < ids.length; at += mostColumns) {
    const part = ids.slice(at, at + mostColumns)
    const met = calls.filter(call => part.some(id => cells.has(`${call} ${id}`)))
    blocks.push({ calls: met, ids: part, cells })
  }
  return blocks
}

function blockText({ calls, ids, cells }: Block, paint: Paint): string {
  const width = Math.max(...calls.map(call => call.length))
  const heading = ids.map(
    (id, index) =>
      `${' '.repeat(width + 1)}${ids
        .slice(0, index)
        .map(() => '│ ')
        .join('')}┌ ${id}`,
  )
  const rows = calls.map(call => {
    const line = ids.map(id => {
      const row = cells.get(`${call} ${id}`)
      return row ? paint(signs[row.verdict], row) : ' '
    })
    return `${call.padEnd(width)} ${line.join(' ')}`.trimEnd()
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
