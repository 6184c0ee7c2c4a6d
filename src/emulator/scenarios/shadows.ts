import { isDeepStrictEqual } from 'node:util'
import { compile, type Rule } from './compile.ts'
import type { Condition } from './conditions/condition.ts'
import { isRequestLost } from './effects/connection.ts'
import { type EffectKind, effectKinds, reaches } from './effects/index.ts'
import { liveOperations, type OperationFacts } from './live-rules.ts'
import { readMatcher } from './matchers.ts'
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
