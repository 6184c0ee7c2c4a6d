import { at } from './json.ts'
import { homeOf, type SpecFamily, specFamilies } from './observation.ts'
import type { Predicate } from './predicates.ts'

/** Not the digits of a snapshot date, as in `-2-0-251015`. */
export const name25 = /(?<!\d)2[_.-]?5(?!\d)/
export const name20 = /(?<!\d)2[_.-]?0(?!\d)/

export function is25(body: unknown): boolean {
  return name25.test(String(at(body, 'model')))
}

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

/** The headings of the specification that its rows cite, each with the line where it begins. */
const beginnings = [
  [5, 'What the service does'],
  [27, 'Family A: create request'],
  [52, 'Family A: task record'],
  [73, 'Family B'],
  [106, 'Family C: task object'],
  [128, 'Family K: objects'],
  [134, 'Image: request and response'],
  [171, 'States and transitions'],
  [198, 'Endpoints'],
  [260, 'Authentication'],
  [269, 'Events'],
  [274, 'Errors'],
  [292, 'Limits'],
  [311, 'Versioning'],
] as const

/** A heading of the specification. */
export type Section = (typeof beginnings)[number][1]

export const sections: readonly Section[] = beginnings.map(([, section]) => section)

/** The heading above a line of the specification. Throws for a line above the first one. */
function sectionAt(line: number): Section {
  const found = beginnings.findLast(([first]) => first <= line)
  if (!found) throw new Error(`No section of the specification contains line ${line}`)
  return found[1]
}
