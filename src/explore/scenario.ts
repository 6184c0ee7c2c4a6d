// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import type { ScenarioDocument, ScenarioRule } from '../scenarios/scenario.ts'
import { type Case, isSameCall, nameOfCase } from './case.ts'
import type { Failure } from './catalogue/failure.ts'

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

/** The names of those rules of a scenario that cause a failure. A rule that only labels a task does not. */
export function playingRules({ name, rules }: ScenarioDocument): string[] {
  return rules.flatMap(({ then }, i) => (then.task && 'label' in then.task ? [] : `${name}/${i + 1}`))
}

/** When both failures are of one call, the second one acts on the repetition of that call. */
function secondOf(one: Case, and: Omit<Case, 'and'>): Omit<Case, 'and'> {
  return isSameCall(one, and) ? { ...and, nth: and.nth + 1 } : and
}

/**
 * A failure that is not transient happens again when the program repeats the call: a refusal, a task that
 * fails because of its request, a broken or missing file. Every other failure happens once.
 */
function rulesOf({ operation, nth, failure, create }: Omit<Case, 'and'>): ScenarioRule[] {
  const { then } = failure
  if (!isLasting(failure)) return [{ when: { operation, call: nth }, then }]
  if (!create || !ofOneTask(failure)) return [{ when: { operation, call: `from ${nth}` }, then }]
  if (isSameCall(create, { operation, nth })) return [{ when: { operation, call: `from ${nth}` }, then }]
  return [
    { when: { operation: create.operation, call: create.nth }, then: { task: { label } } },
    { when: { operation, task: { of: label } }, then },
  ]
}

/** Outcomes that follow from the content or the parameters: the same request ends in the same way again. */
const forTheRequest = ['late_refusal', 'task_moderated']

function isLasting({ id, kind, transient }: Failure): boolean {
  return !transient && (kind === 'refusal' || kind === 'media' || forTheRequest.includes(id))
}

/** Whether a failure is of one task or its file only. A refused key, in contrast, is refused for every task. */
function ofOneTask({ id, kind }: Failure): boolean {
  return kind === 'media' || id === 'not_found'
}
