import type { ScenarioDocument } from '../../src/index.ts'

/** A scenario that refuses the first call of an operation and lets the others pass. */
export function refusingOnce(operation: string, refuse: Record<string, unknown>): ScenarioDocument {
  // biome-ignore lint/suspicious/noThenProperty: the scenario language calls it so
  return { name: 'refusing-once', rules: [{ when: { operation, call: 1 }, then: { refuse } }] }
}
