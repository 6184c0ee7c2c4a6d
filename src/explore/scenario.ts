// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import type { ScenarioDocument, ScenarioRule } from '../scenarios/scenario.ts'
import { type Case, nameOfCase } from './case.ts'

/** The name of the scenario that plays a case. */
const scenarioName = 'explore'

const label = 'explored'

/** A scenario that plays a case, in the form of a scenario file. */
export function scenarioOf(one: Case): ScenarioDocument {
  return {
    name: scenarioName,
    description: `${nameOfCase(one)}: ${one.failure.title}${one.and ? `, and ${one.and.failure.title}` : ''}.`,
    rules: [...rulesOf(one), ...(one.and ? rulesOf(secondOf(one, one.and)) : [])],
  }
}

/** The second failure meets the call that repeats the first one's, where both are of one call. */
function secondOf(one: Case, and: Omit<Case, 'and'>): Omit<Case, 'and'> {
  const isSame = one.operation === and.operation && one.nth === and.nth
  return isSame ? { ...and, nth: and.nth + 1 } : and
}

/** A file that is broken or gone stays so for every download of its task; everything else happens to one call. */
function rulesOf({ operation, nth, failure, create }: Omit<Case, 'and'>): ScenarioRule[] {
  const { kind, transient, then } = failure
  if (kind !== 'media' || transient) return [{ when: { operation, call: nth }, then }]
  if (!create) return [{ when: { operation, call: `from ${nth}` }, then }]
  return [
    { when: { operation: create.operation, call: create.nth }, then: { task: { label } } },
    { when: { operation, task: { of: label } }, then },
  ]
}
