import { didYouMean, nearSuggestion, shown } from '../wording/shown.ts'
import { compile, type Rule } from './compile.ts'
import type { Condition } from './conditions/words.ts'
import type { EffectKind } from './effects/index.ts'
import { operationsMatching } from './operations.ts'
import type { ScenarioDocument } from './scenario.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'
import {
  canHold,
  labelIn,
  labelsOf,
  liveOperations,
  type OperationFacts,
  type RuleLabels,
  type Shadow,
  shadowsOf,
} from './shadows.ts'

/**
 * What of a scenario can never act, when it acts alone: rules that no request meets, operations of a rule that none of its effects or
 * conditions fit, and effects that earlier rules always take. These may be on purpose, so they are warnings. `facts` has every operation.
 */
export function inertRules(document: ScenarioDocument, facts: readonly OperationFacts[]): ScenarioError[] {
  const { rules } = compile(document)
  const labels = labelsOf(rules, facts)
  const shadows = shadowsOf([document], document.name, facts)
  return rules.flatMap((rule, i) => {
    const steps = ['rules', i]
    const dead = deadRule(rule, { facts, labels, steps })
    if (dead) return [dead]
    return [
      ...deadOperations(rule, document.rules[i]?.when?.operation, { facts, labels, steps }),
      ...deadEffects(rule, shadows[i] ?? [], steps),
    ]
  })
}

interface Known {
  facts: readonly OperationFacts[]
  labels: RuleLabels
  /** The rule's place in the document. */
  steps: Steps
}

function deadRule(rule: Rule, { facts, labels, steps }: Known): ScenarioError | undefined {
  if (rule.probability === 0)
    return new ScenarioError('never acts: its chance is 0', { steps: [...steps, 'when', 'probability'] })
  if (liveOperations(rule, facts, labels).size > 0) return undefined
  const own = facts.filter(({ operation }) => rule.operations.has(operation))
  const failing = own.map(one => rule.conditions.filter(condition => !canHold(condition, one, labels)))
  const [common] = rule.conditions.filter(condition => failing.every(failed => failed.includes(condition)))
  if (common) return neverHolds(common, { rule, own }, { facts, labels, steps })
  const reasons = own.map(
    ({ operation }, i) => `${operation} by ${failing[i]?.map(({ field }) => field).join(' and ')}`,
  )
  return new ScenarioError(
    `never acts: its conditions exclude each other, ${reasons.slice(0, mostListed).join(', ')}${reasons.length > mostListed ? ', …' : ''}`,
    { steps: [...steps, 'when'] },
  )
}

const mostListed = 5

/** The warning for a condition that no request of a rule's operations can meet. */
function neverHolds(
  condition: Condition,
  { rule, own }: { rule: Rule; own: readonly OperationFacts[] },
  { facts, labels, steps }: Known,
): ScenarioError {
  const { field, asked } = condition
  const word = field.split(' ', 1)[0] ?? field
  const calls =
    own.length > mostListed ? 'these operations' : own.map(({ operation }) => operation).join(', ')
  const at = (reason: string, hint?: string, what = 'never acts') =>
    new ScenarioError(`${what}: ${reason}`, { steps: [...steps, 'when', word], hint })
  const label = labelIn(asked)
  if (label !== undefined && own.some(({ namesTask }) => namesTask))
    return labels.has(label)
      ? at(
          `no task with the label ${shown(label)} belongs to ${calls}`,
          'the rule that gives it acts on another family',
        )
      : at(
          `no rule here gives the label ${shown(label)}`,
          didYouMean(label, [...labels.keys()]) ?? 'a rule gives one with task: {label: …}',
        )
  if (word !== 'model') return at(`${field} ${shown(asked)} fits no request of ${calls}`)
  const names = [...new Set(own.flatMap(({ models }) => models))]
  if (names.length === 0) return at(`requests of ${calls} name no model`)
  const isKnown = facts.some(one => one.models.length > 0 && canHold(condition, one))
  return at(
    `${shown(asked)} fits no ${isKnown ? `model of ${calls}` : 'known model'}`,
    nearSuggestion(typeof asked === 'string' ? asked : '', names) ??
      'see GET /__emulator/models; names of a config are known to POST /scenarios/check',
    // Rules act before a model is checked; only a task and its files need one that exists.
    Object.keys(rule.then).every(effect => effect === 'task' || effect === 'media')
      ? 'never acts'
      : 'acts only on requests that are refused for their model',
  )
}

/** Written operations on which a rule never acts, while it acts on others. */
function deadOperations(rule: Rule, written: unknown, { facts, labels, steps }: Known): ScenarioError[] {
  if (!Array.isArray(written)) return []
  const live = liveOperations(rule, facts, labels)
  return written.flatMap((glob, i) => {
    if (operationsMatching(String(glob)).some(operation => live.has(operation))) return []
    const can = operationsMatching(String(glob)).some(operation => rule.operations.has(operation))
    const why = can
      ? 'its requests never meet the conditions'
      : `${Object.keys(rule.then).join(' and ')} cannot act there`
    return [new ScenarioError(`never acts on ${glob}: ${why}`, { steps: [...steps, 'when', 'operation', i] })]
  })
}

/** The effects of a rule that earlier rules, or its own refusal, always take. */
function deadEffects(rule: Rule, shadows: readonly Shadow[], steps: Steps): ScenarioError[] {
  const certain = shadows.filter(({ always }) => always)
  const byTakers = new Map<string, { count: number; effects: EffectKind[] }>()
  for (const effect of new Set(certain.map(one => one.effect))) {
    const takers = certain.filter(one => one.effect === effect).map(({ by }) => by)
    const text = takers
      .map(by => (by === rule.name ? `its own ${rule.then.refuse ? 'refuse' : 'connection'}` : by))
      .join(' and ')
    byTakers.set(text, { count: takers.length, effects: [...(byTakers.get(text)?.effects ?? []), effect] })
  }
  return [...byTakers].map(([takers, { count, effects }]) => {
    const isWhole = effects.length === Object.keys(rule.then).length
    const what = isWhole
      ? 'never acts'
      : `${effects.join(' and ')} never act${effects.length === 1 ? 's' : ''}`
    const [first = ''] = effects
    return new ScenarioError(`${what}: ${takers} always come${count > 1 ? '' : 's'} first`, {
      steps: isWhole ? steps : [...steps, 'then', first],
    })
  })
}
