import { type Statement, statements } from '../../src/contract/statements/index.ts'
import { rules } from '../../src/selfcheck/rules/index.ts'
import { assumedBy } from './statement-links/assumed.ts'
import { type Link, links } from './statement-links/index.ts'

/** One statement, the tests that show it, and the assumption that completes it. */
export interface ShownStatement extends Statement {
  tests: readonly Link[]
  /** Rules of `gateway-emulator selfcheck` that check it. */
  rules: readonly string[]
  /** The row of the assumption that answers what its words leave open. */
  assumed: string | undefined
}

/** Every statement of the specification with its tests. */
export const shownStatements: readonly ShownStatement[] = statements.map(statement => ({
  ...statement,
  tests: links.filter(({ id }) => id === statement.id),
  rules: rules.filter(rule => rule.shows?.includes(statement.id)).map(({ id }) => id),
  assumed: assumedBy[statement.id],
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
  const shownBy = tests.map(({ file, part }) => `${file.replace('.test.ts', '')}: ${part}`)
  return [
    `\`${id}\``,
    says,
    assumed ? `assumed \`${assumed}\`` : 'exact',
    shownBy.join('; '),
    seen.join(', '),
  ]
}
