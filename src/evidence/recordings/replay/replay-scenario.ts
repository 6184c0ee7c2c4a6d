import type { Fault } from '../../../emulator/gateway.ts'
import type { ScenarioDocument, ScenarioRule } from '../../../emulator/words.ts'
import { isSynchronous } from '../operation.ts'
import type { Observed } from '../read/observed.ts'
import type { Job, Step } from '../read/steps.ts'
import { inWords, planOf } from './planned.ts'

/** A recorded refusal that the request does not explain. */
export interface PlannedRefusal {
  fault: Fault
  param?: string
  retryAfter?: string
}

/** The header with which the rules of a replay distinguish its requests. */
export const replayHeader = 'x-replayed-entry'

/** The scenario of a replay: each task has its recorded states, and each planned refusal is repeated. */
export function replayScenario(
  { steps }: Job,
  tasks: readonly Observed[],
  refusals: ReadonlyMap<Step, PlannedRefusal>,
): ScenarioDocument {
  const rules: ScenarioRule[] = steps.flatMap(step => {
    const task = tasks.find(({ makes }) => makes === step)
    const refusal = refusals.get(step)
    if (refusal) return [ruleFor(step, { refuse: refuseOf(refusal) })]
    return task && !isSynchronous(task.family) ? [ruleFor(step, { task: inWords(planOf(task)) })] : []
  })
  // A scenario needs a rule; this one never matches.
  const never: ScenarioRule = ruleOf('none', { clock: { advance: '1ms' } })
  return { name: 'recorded', rules: rules.length > 0 ? rules : [never] }
}

function ruleFor(step: Step, what: ScenarioRule['then']): ScenarioRule {
  return ruleOf(String(step.number), what)
}

function ruleOf(number: string, what: ScenarioRule['then']): ScenarioRule {
  // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
  return { when: { header: { [replayHeader]: { equals: number } } }, then: what }
}

function refuseOf({ fault, param, retryAfter }: PlannedRefusal) {
  return {
    fault,
    ...(param !== undefined && { param }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  }
}
