import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shippedDocuments } from '../../src/emulator/scenarios/known-scenarios.ts'
import { checks } from '../../src/evidence/selfcheck/checks.ts'
import { assumptions as readAssumptions, type Source } from '../../src/evidence/spec/assumptions.ts'
import { root } from '../../test/support/fresh-build.ts'
import { cellsOf, counts, shownStatements, unshown } from './statement-table.ts'

const assumptions = readAssumptions()

/** The place of the table. `npm run fidelity` writes it. */
export const fidelityFile = join(root, 'docs/fidelity.md')

const families = [
  ['All families', 'all'],
  ['Family A', 'a'],
  ['Family B', 'b'],
  ['Family C', 'c'],
  ['C-special', 'special'],
  ['Family K', 'k'],
  ['Image', 'image'],
] as const

/** The whole table: each statement of the specification with its tests, then the parts beyond the specification. */
export function fidelityTable(): string {
  const { all, exact, assumed, outside } = counts()
  return `${[
    '# Fidelity, statement by statement',
    'Written by `npm run fidelity` from the statements of the specification, the tests that call `shows` with their ids, the table of assumptions, the checks of `gateway-emulator selfcheck` and the shipped scenarios. Do not edit it by hand.',
    `- **Statements**: the specification has ${all} statements. A test shows each of them: ${exact} exactly, ${assumed} with an assumption of ours where the words leave something open.`,
    `- **Over HTTP**: \`selfcheck\` checks ${outside} of them with ${checks.length} checks, also on the real gateway.`,
    `- **Assumed**: ${assumptions.length} answers to questions that the specification leaves open, each with its reason.`,
    '- **Beyond**: effects that happen only on request, by scenario or prompt tag.',
    '## Statements',
    ...families.map(([title, family]) => shownOf(title, family)),
    '## Assumed',
    table(
      ['Id', 'Question', 'Answer', 'Why', 'Source', 'Certainty', 'Confirmed'],
      assumptions.map(({ id, question, answer, reason, source, certainty, confirmed }) => [
        `\`${id}\``,
        question,
        answer,
        reason,
        sourceText(source),
        certainty,
        confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never',
      ]),
    ),
    '## Beyond',
    table(
      ['Scenario', 'What happens'],
      shippedDocuments().map(({ name, description = '' }) => [`\`${name}\``, description]),
    ),
  ].join('\n\n')}\n`
}

function shownOf(title: string, family: string): string {
  const rows = shownStatements.filter(row => row.family === family).map(cellsOf)
  return `### ${title}\n\n${table(['Statement', 'In words', 'Kind', 'Tests', 'Selfcheck'], rows)}`
}

function sourceText(source: Source): string {
  switch (source.kind) {
    case 'specification':
      return `Specification, "${source.section}": ${source.says}`
    case 'upstream':
      return `Upstream, ${source.evidence}: ${source.fact}`
    case 'guess':
      return `A guess: ${source.because}`
  }
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map(cell => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (unshown.length > 0) throw new Error(`No test calls shows() with ${unshown.join(', ')}`)
  writeFileSync(fidelityFile, fidelityTable())
}
