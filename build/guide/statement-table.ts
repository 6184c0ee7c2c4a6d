import { checks } from '../../src/evidence/selfcheck/checks.ts'
import { type Statement, statements } from '../../src/evidence/spec/statements/index.ts'
import { type Showing, showings } from './test-names.ts'

const calls = showings()

/** One statement, the tests that show it, and the assumption that completes it. */
export interface ShownStatement extends Statement {
  tests: readonly Showing[]
  /** Rules of `gateway-emulator selfcheck` that check it. */
  rules: readonly string[]
}

/** Every statement of the specification with its tests. */
export const shownStatements: readonly ShownStatement[] = statements.map(statement => ({
  ...statement,
  tests: calls.filter(({ id }) => id === statement.id),
  rules: checks.filter(({ row }) => row === statement.id).map(({ id }) => id),
}))

/** The ids of statements without a test. */
export const unshown: readonly string[] = shownStatements
  .filter(({ tests }) => tests.length === 0)
  .map(({ id }) => id)

/** How many statements are exact, and how many need an answer of ours. */
export function counts(): { all: number; exact: number; assumed: number; outside: number } {
  const assumed = shownStatements.filter(row => row.assumed !== undefined).length
  const outside = shownStatements.filter(row => row.rules.length > 0).length
  return { all: statements.length, exact: statements.length - assumed, assumed, outside }
}

/** The cells of a statement's line in the table. */
export function cellsOf({ id, says, assumed, tests, rules: seen }: ShownStatement): string[] {
  const shownBy = tests.map(({ file, name }) => `${file.replace('.test.ts', '')}: ${name}`)
  return [
    `\`${id}\``,
    says,
    assumed ? `assumed \`${assumed}\`` : 'exact',
    shownBy.join('; '),
    seen.join(', '),
  ]
}

/** Calls of `shows` with an id that no row has. */
export const unknownIds: readonly string[] = calls
  .map(({ id }) => id)
  .filter(id => !statements.some(statement => statement.id === id))
