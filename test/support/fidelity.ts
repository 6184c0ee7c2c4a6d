import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assumptions, type Source } from '../../src/assumptions/index.ts'
import { shippedDocuments } from '../../src/scenarios/catalog.ts'
import { rules } from '../../src/selfcheck/rules/index.ts'
import { root } from './fresh-build.ts'

/** Where the table lies. `npm run fidelity` writes it anew. */
export const fidelityFile = join(root, 'fixtures/fidelity.md')

/** A test whose name tells a rule and cites where it stands. */
export interface CitingTest {
  file: string
  name: string
}

const testFolder = join(root, 'test')
/** Any string on one line. */
const literal = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`/g

/** Every name of a test, or of a group of tests, that names the specification or an assumption. */
export function citingTests(): CitingTest[] {
  return readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .sort()
    .flatMap(file => namesIn(readFileSync(join(testFolder, file), 'utf8')).map(name => ({ file, name })))
}

function namesIn(source: string): string[] {
  const names = [...source.matchAll(literal)].map(([text]) => text.slice(1, -1).replace(/\\(['"`])/g, '$1'))
  return [...new Set(names.filter(name => cited(name) !== undefined))]
}

/** What stands in the brackets at the end of a name, when it cites something. */
function cited(name: string): string | undefined {
  const [, inside = ''] = /\(((?:[^()]|\([^()]*\))*)\)$/.exec(name) ?? []
  const isKnown = /^Spec/.test(inside) || assumptions.some(({ id }) => new RegExp(`\\b${id}\\b`).test(inside))
  return isKnown ? inside : undefined
}

const families = [
  ['Family A', /(^|[\\/])a-/],
  ['Family B', /(^|[\\/])b-/],
  ['Family C and C-special', /(^|[\\/])c-/],
  ['Family K', /(^|[\\/])k-/],
  ['Image', /(^|[\\/])images-/],
  ['All families', /./],
] as const

/** The whole table: each rule documented, assumed or scripted. */
export function fidelityTable(): string {
  const tests = citingTests()
  return `${[
    '# Fidelity, rule by rule',
    'Written by `npm run fidelity` from the names of the tests, the table of assumptions, the rules of `gateway-emulator selfcheck` and the shipped scenarios. Do not edit it by hand.',
    `- **Documented**: the specification says it, and a test shows it. ${tests.length} tests cite their rule; \`selfcheck\` looks at ${rules.length} rules from outside, and can do so at the real gateway.`,
    `- **Assumed**: the specification is silent. ${assumptions.length} answers, each with its reason.`,
    '- **Scripted**: it happens because somebody asked for it, by scenario or prompt tag.',
    '## Documented and assumed, as tests show it',
    ...families.map(([title, pattern]) => shownBy(title, ownTests(tests, pattern))),
    '## Documented, as `selfcheck` sees it',
    table(
      ['Rule', 'In words', 'Specification'],
      rules.map(({ id, says, cites }) => [`\`${id}\``, says, cites]),
    ),
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
    '## Scripted',
    table(
      ['Scenario', 'What happens'],
      shippedDocuments().map(({ name, description = '' }) => [`\`${name}\``, description]),
    ),
  ].join('\n\n')}\n`
}

/** A test belongs to the first family whose pattern its file has. */
function ownTests(tests: readonly CitingTest[], own: RegExp): CitingTest[] {
  return tests.filter(({ file }) => families.find(([, pattern]) => pattern.test(file))?.[1] === own)
}

function shownBy(title: string, tests: readonly CitingTest[]): string {
  const rows = tests.map(({ file, name }) => {
    const source = cited(name) ?? ''
    const rule = name.slice(0, name.length - source.length - 2).trim()
    return [
      rule.replace(/\$\{[^}]*\}|%[sdjo]|\$\w+/g, '…'),
      kindOf(source),
      source,
      file.replace('.test.ts', ''),
    ]
  })
  return `### ${title}\n\n${table(['Rule', 'Kind', 'Cites', 'Test'], rows)}`
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

function kindOf(source: string): string {
  return /^Spec/.test(source) ? 'documented' : 'assumed'
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map(cell => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(fidelityFile, fidelityTable())
