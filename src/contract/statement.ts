import type { Section } from './sections.ts'

/** One normative statement of the specification, in our own words. Tests and recordings refer to it by id. */
export interface Statement {
  /** Family, place and rule, as in `a.create.duration-25`. */
  id: string
  family: 'all' | 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  section: Section
  says: string
}

/** By section: what it states, by the end of each id. */
type Said = Partial<Record<Section, Readonly<Record<string, string>>>>

/** The statements of one family. The id of each begins with the family. */
export function statementsOf(family: Statement['family'], said: Said): Statement[] {
  return Object.entries(said).flatMap(([section, sentences]) =>
    Object.entries(sentences).map(([name, says]) => ({
      id: `${family}.${name}`,
      family,
      section: section as Section,
      says,
    })),
  )
}
