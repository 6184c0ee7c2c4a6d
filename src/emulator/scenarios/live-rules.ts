import type { Rule, Scenario } from './compile.ts'
import type { Condition } from './conditions/condition.ts'
import type { RequestFacts } from './request-facts.ts'

/** What requests of an operation can hold, so that rules which can never match them are found. */
export interface OperationFacts {
  operation: string
  /** Every family, for downloads. */
  families: readonly string[]
  /** Every known name of a model; none where requests name no model. */
  models: readonly string[]
  /** A config lets every other name stand for a model. */
  takesAnyModel?: boolean
  hasMode: boolean
  hasPrompt: boolean
  hasBody: boolean
  /** Whether a request can name a task that exists. */
  namesTask: boolean
}

/** The families whose tasks get a label, by label. */
export type Labels = ReadonlyMap<string, ReadonlySet<string>>

/** The labels that rules give. */
export function labelsOf(rules: readonly Rule[], facts: readonly OperationFacts[]): Labels {
  const labels = new Map<string, Set<string>>()
  for (const { then, operations } of rules) {
    const label = then.task?.label
    if (label === undefined) continue
    const families = facts.filter(({ operation }) => operations.has(operation)).flatMap(one => one.families)
    labels.set(label, new Set([...(labels.get(label) ?? []), ...families]))
  }
  return labels
}

/** The operations on which a rule can act, with requests that meet each of its conditions. */
export function liveOperations(rule: Rule, facts: readonly OperationFacts[], labels?: Labels): Set<string> {
  const live = facts.filter(
    one =>
      rule.operations.has(one.operation) &&
      rule.conditions.every(condition => canHold(condition, one, labels)),
  )
  return new Set(live.map(({ operation }) => operation))
}

/** A scenario whose rules act on these operations alone. */
export function liveScenario(scenario: Scenario, facts: readonly OperationFacts[]): Scenario {
  const labels = labelsOf(scenario.rules, facts)
  return {
    ...scenario,
    rules: scenario.rules.map(rule => ({ ...rule, operations: liveOperations(rule, facts, labels) })),
  }
}

/** Whether a request of an operation can meet a condition. Without `labels`, any label may have been given. */
export function canHold(condition: Condition, facts: OperationFacts, labels?: Labels): boolean {
  const holdsFor = (request: Partial<RequestFacts>) =>
    condition.holds({ ...nothing, ...request }, () => undefined)
  switch (condition.field.split(' ', 1)[0]) {
    case 'family':
      return facts.families.some(family => holdsFor({ family }))
    case 'model':
      return facts.takesAnyModel || [undefined, ...facts.models].some(model => holdsFor({ model }))
    case 'mode':
      return facts.hasMode
    case 'prompt':
      return facts.hasPrompt || holdsFor({})
    case 'body':
      return facts.hasBody || holdsFor({})
    case 'task':
      return facts.namesTask && isLabelOf(condition, facts, labels)
    default:
      return true
  }
}

const nothing: RequestFacts = {
  operation: '',
  family: '',
  account: '',
  key: '',
  headers: {},
  body: {},
  now: 0,
}

function isLabelOf({ asked }: Condition, { families }: OperationFacts, labels: Labels | undefined): boolean {
  const label = labelIn(asked)
  if (!labels || label === undefined) return true
  return families.some(family => labels.get(label)?.has(family))
}

/** The label of a condition on a task. */
export function labelIn(asked: unknown): string | undefined {
  return (Object(asked) as { of?: string }).of
}
