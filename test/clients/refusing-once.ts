import type { ScenarioDocument, ScenarioRule } from '../../src/index.ts'

/** A scenario that refuses the first call of an operation and lets the others pass. */
export function refusingOnce(
  operation: string,
  refuse: NonNullable<ScenarioRule['then']['refuse']>,
): ScenarioDocument {
  // biome-ignore lint/suspicious/noThenProperty: the scenario language calls it so
  return { name: 'refusing-once', rules: [{ when: { operation, call: 1 }, then: { refuse } }] }
}
