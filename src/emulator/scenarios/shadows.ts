import { isDeepStrictEqual } from 'node:util'
import { compile, type Rule, type Scenario } from './compile.ts'
import type { Condition } from './conditions/words.ts'
import { isRequestLost } from './effects/connection.ts'
import { type EffectKind, effectKinds, reaches } from './effects/index.ts'
import { type RequestFacts, readMatcher } from './matchers.ts'
import { downloadOperation } from './operations.ts'
import type { ScenarioDocument, ScenarioRule } from './scenario.ts'

/** An earlier rule that takes an effect away from a rule. */
export interface Shadow {
  /** The earlier rule, as `scenario/number`. */
  by: string
  effect: EffectKind
  /** True when the effect never acts, by this rule and all others of its shadows; false when it acts on requests that the earlier rule does not match. */
  always: boolean
}

interface Placed {
  rule: Rule
  when: NonNullable<ScenarioRule['when']>
  scenario: string
  /** The operations on which it can act. */
  live: ReadonlySet<string>
}

/**
 * For each rule of an active scenario, the earlier rules that act in its place: of each kind of effect the first rule that matches
 * acts, and a refused request makes no task and no file. A rule of the same scenario is named only when the effect never acts.
 * `active` is in the order of activation.
 */
export function shadowsOf(
  active: readonly ScenarioDocument[],
  name: string,
  facts: readonly OperationFacts[],
): Shadow[][] {
  const placed = active.flatMap(document => placedRules(document, facts))
  return placed.flatMap((own, at) => (own.scenario === name ? [shadowsOver(own, placed.slice(0, at))] : []))
}

function placedRules(document: ScenarioDocument, facts: readonly OperationFacts[]): Placed[] {
  return compile(document).rules.map((rule, i) => ({
    rule,
    when: document.rules[i]?.when ?? {},
    scenario: document.name,
    live: liveOperations(rule, facts),
  }))
}

function shadowsOver(own: Placed, earlier: readonly Placed[]): Shadow[] {
  return effectKinds.flatMap((effect): Shadow[] => {
    const operations = [...own.live].filter(operation => reaches(own.rule.then, effect, operation))
    if (operations.length === 0) return []
    const takers = [...earlier, own]
    const certain = operations.map(operation =>
      takers.find(other =>
        other === own
          ? isPrevented(own, effect, operation)
          : takes(other, effect, operation) && isWider(other, own, operation),
      ),
    )
    if (certain.every(taker => taker !== undefined))
      return [...new Set(certain.map(({ rule }) => rule.name))].map(by => ({ by, effect, always: true }))
    return earlier
      .filter(other => other.scenario !== own.scenario)
      .filter(other => operations.some(operation => takes(other, effect, operation)))
      .map(({ rule }) => ({ by: rule.name, effect, always: false }))
  })
}

/** Whether a rule refuses or loses the request that would make the task and its files. */
function isPrevented({ rule: { then } }: Placed, effect: EffectKind, operation: string): boolean {
  if (effect !== 'task' && effect !== 'media') return false
  if (reaches(then, 'refuse', operation)) return true
  return reaches(then, 'connection', operation) && isRequestLost(then.connection)
}

function takes(other: Placed, effect: EffectKind, operation: string): boolean {
  if (!other.live.has(operation)) return false
  return reaches(other.rule.then, effect, operation) || isPrevented(other, effect, operation)
}

/** Whether a rule matches every request of an operation that another one matches. */
function isWider(wide: Placed, narrow: Placed, operation: string): boolean {
  const { calls, since, during, probability = 1, conditions } = wide.rule
  if (probability < 1) return false
  if (wide.scenario === narrow.scenario && isCountedAlike(wide, narrow)) return true
  const isEveryCall =
    !calls || (calls.kind === 'every' ? calls.n === 1 : calls.from === 1 && calls.to === Infinity)
  const isAlways = !during || (during.fromMs === 0 && during.toMs === Infinity) || isInside(wide, narrow)
  return (
    isEveryCall &&
    isAlways &&
    !since &&
    conditions.every(
      condition =>
        (condition.field === 'family' && operation !== downloadOperation) ||
        narrow.rule.conditions.some(other => isImplied(condition, other)),
    )
  )
}

/** Two rules of a scenario with the same conditions count the same calls. */
function isCountedAlike(wide: Placed, narrow: Placed): boolean {
  const { operation: _, probability: _chance, ...asked } = wide.when
  const { operation: _other, probability: _otherChance, ...others } = narrow.when
  return isDeepStrictEqual(asked, others) && isDeepStrictEqual(wide.rule.operations, narrow.rule.operations)
}

function isInside(wide: Placed, narrow: Placed): boolean {
  const [outer, inner] = [wide.rule.during, narrow.rule.during]
  if (!outer || !inner || wide.scenario !== narrow.scenario) return false
  return outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs
}

/** Whether a condition holds whenever another one does: they are the same, or the other allows one value, which it accepts. */
function isImplied(condition: Condition, other: Condition): boolean {
  if (condition.field !== other.field) return false
  if (isDeepStrictEqual(condition.asked, other.asked)) return true
  const value = onlyValue(other.asked)
  // A request may have several modes and tasks.
  if (value === undefined || ['mode', 'task'].includes(condition.field)) return false
  return readMatcher(condition.asked, [])(value)
}

function onlyValue(asked: unknown): unknown {
  return typeof asked === 'object' && asked !== null ? (asked as { equals?: unknown }).equals : asked
}

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
export type RuleLabels = ReadonlyMap<string, ReadonlySet<string>>

/** The labels that rules give. */
export function labelsOf(rules: readonly Rule[], facts: readonly OperationFacts[]): RuleLabels {
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
export function liveOperations(
  rule: Rule,
  facts: readonly OperationFacts[],
  labels?: RuleLabels,
): Set<string> {
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
export function canHold(condition: Condition, facts: OperationFacts, labels?: RuleLabels): boolean {
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

function isLabelOf(
  { asked }: Condition,
  { families }: OperationFacts,
  labels: RuleLabels | undefined,
): boolean {
  const label = labelIn(asked)
  if (!labels || label === undefined) return true
  return families.some(family => labels.get(label)?.has(family))
}

/** The label of a condition on a task. */
export function labelIn(asked: unknown): string | undefined {
  return (Object(asked) as { of?: string }).of
}
