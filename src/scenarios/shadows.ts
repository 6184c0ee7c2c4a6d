import { isDeepStrictEqual } from 'node:util'
import type { Scenario } from './compile.ts'
import { compile } from './compile.ts'
import { type EffectKind, effectKinds, reaches } from './effects/index.ts'
import type { ScenarioDocument, ScenarioRule } from './scenario.ts'

/** An earlier rule that takes an effect away from a rule. */
export interface Shadow {
  /** The earlier rule, as `scenario/number`. */
  by: string
  effect: EffectKind
  /** True when the effect never acts; false when it acts on requests that the earlier rule does not match. */
  always: boolean
}

interface Placed {
  rule: Scenario['rules'][number]
  when: NonNullable<ScenarioRule['when']>
  scenario: string
}

/** Conditions that also depend on how often or when a rule was checked: equal words do not match equal requests. */
const counted = new Set(['call', 'during', 'since', 'probability'])

/**
 * For each rule of an active scenario, the earlier rules that act in its place: of each kind of effect the first rule that matches
 * acts, and a refused request makes no task and no file. A rule of the same scenario is named only when it always acts first.
 * `active` is in the order of activation.
 */
export function shadowsOf(active: readonly ScenarioDocument[], name: string): Shadow[][] {
  const placed = active.flatMap(placedRules)
  return placed.flatMap((own, at) => (own.scenario === name ? [shadowsOver(own, placed.slice(0, at))] : []))
}

function placedRules(document: ScenarioDocument): Placed[] {
  return compile(document).rules.map((rule, i) => ({
    rule,
    when: document.rules[i]?.when ?? {},
    scenario: document.name,
  }))
}

function shadowsOver(own: Placed, earlier: readonly Placed[]): Shadow[] {
  return effectKinds.flatMap(effect => {
    const operations = [...own.rule.operations].filter(operation => reaches(own.rule.then, effect, operation))
    if (operations.length === 0) return []
    const shadows = earlier.flatMap((other): Shadow[] => {
      const taken = operations.filter(operation => takes(other, effect, operation))
      if (taken.length === 0) return []
      const always = taken.length === operations.length && isWider(other, own)
      return [{ by: other.rule.name, effect, always }]
    })
    const certain = shadows.find(({ always }) => always)
    if (certain) return [certain]
    return shadows.filter(({ by }) => !by.startsWith(`${own.scenario}/`))
  })
}

function takes({ rule }: Placed, effect: EffectKind, operation: string): boolean {
  if (!rule.operations.has(operation)) return false
  const isLost = effect === 'task' || effect === 'media'
  return reaches(rule.then, effect, operation) || (isLost && reaches(rule.then, 'refuse', operation))
}

/** Whether a rule matches every request that another one matches: each of its conditions is also a condition of the other. */
function isWider(wide: Placed, narrow: Placed): boolean {
  return Object.entries(wide.when).every(
    ([word, value]) =>
      word === 'operation' ||
      (!counted.has(word) && isDeepStrictEqual(value, narrow.when[word as keyof typeof narrow.when])),
  )
}
