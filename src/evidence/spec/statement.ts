import type { Predicate } from './predicates.ts'
import { type Section, sectionAt } from './sections.ts'
import { homeOf, type SpecFamily, specFamilies } from './sight.ts'

/** One normative statement of the specification, in our own words. Code, tests and reports cite it by id. */
export interface Statement {
  /** Family, place and rule, as in `a.create.duration-25`. */
  id: string
  family: SpecFamily | 'all'
  /** The line of the specification that states it. */
  line: number
  section: Section
  says: string
  /** The row of the assumption that answers what its words leave open. */
  assumed?: string
  /** How it is seen in requests and replies, by the family that it is seen in. Empty for a row that no reply shows. */
  seen: Readonly<Partial<Record<SpecFamily, readonly Predicate[]>>>
}

/** Id of an assumption, a predicate of the own family, or one for each family that the row holds for. */
type Cell = string | Predicate | ((family: SpecFamily) => Predicate | undefined)

/** By the end of each id: line, sentence, and how the row is seen. */
export type Table = Readonly<Record<string, readonly [line: number, says: string, ...cells: Cell[]]>>

/** The families in which the rows of a table are seen. */
function familiesOf(family: Statement['family']): readonly SpecFamily[] {
  return specFamilies.filter(one => family === 'all' || one === family || homeOf(one) === family)
}

/** The statements of one family. The id of each begins with the family. */
export function statementsOf(family: Statement['family'], table: Table): Statement[] {
  return Object.entries(table).map(([name, [line, says, ...cells]]) => {
    const assumed = cells.find(cell => typeof cell === 'string')
    const seen = familiesOf(family).map(one => [one, predicatesFor(one, family, cells)] as const)
    return {
      id: `${family}.${name}`,
      family,
      line,
      section: sectionAt(line),
      says,
      ...(assumed !== undefined && { assumed }),
      seen: Object.fromEntries(seen.filter(([, predicates]) => predicates.length > 0)),
    }
  })
}

function predicatesFor(family: SpecFamily, home: Statement['family'], cells: readonly Cell[]): Predicate[] {
  return cells.flatMap(cell => {
    if (typeof cell === 'string') return []
    if (typeof cell === 'function') return cell(family) ?? []
    return family === home ? [cell] : []
  })
}
