import { type Calls, isAmong } from './amounts.ts'
import type { Rule, Scenario } from './compile.ts'
import { unknownConditions } from './conditions/index.ts'
import type { TaskTimes } from './effects/effect.ts'
import { type EffectKind, effectKinds, effectText, reaches } from './effects/index.ts'
import { task } from './effects/task.ts'
import { downloadOperation } from './operations.ts'

/** The most calls that are shown one by one. */
const mostCalls = 12

/**
 * The effects of a scenario on a create of each family, call by call, and on downloads: for
 * `scenarios check --dry-run`. Conditions on a prompt, a body or a chance are unknown here; such rules
 * are shown with their condition, followed by the result without them.
 */
export function dryRun(scenario: Scenario, makers: readonly TaskTimes[]): string {
  const parts = makers.map(maker => timeLine(scenario, maker.operation, maker))
  parts.push(timeLine(scenario, downloadOperation))
  const title = scenario.description ? `${scenario.name}: ${scenario.description.trim()}` : scenario.name
  return `${[title, ...parts].join('\n')}\n`
}

function timeLine(scenario: Scenario, operation: string, maker?: TaskTimes): string {
  const rules = scenario.rules.filter(rule => rule.operations.has(operation))
  const shown: { from: number; to: number; text: string }[] = []
  for (let call = 1; call <= callsToShow(rules); call++) {
    const text = outcomesOf(rules, { call, operation, maker }).join('\n')
    const last = shown.at(-1)
    if (last?.text === text) last.to = call
    else shown.push({ from: call, to: call, text })
  }
  const lines = shown.map(
    ({ from, to, text }, i) => `  ${labelOf(from, to, i === shown.length - 1)}${indented(text)}`,
  )
  return [operation, ...lines].join('\n')
}

function labelOf(from: number, to: number, isLast: boolean): string {
  if (isLast) return (from === 1 ? 'every call' : `call ${from} on`).padEnd(14)
  return (from === to ? `call ${from}` : `calls ${from}-${to}`).padEnd(14)
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(16)}`)
}

/** One more than the last call that a rule names, so that the result without the rule is shown too. */
function callsToShow(rules: readonly Rule[]): number {
  return Math.min(mostCalls, Math.max(1, ...rules.map(({ calls }) => (calls ? lastOf(calls) + 1 : 1))))
}

function lastOf(calls: Calls): number {
  if (calls.kind === 'every') return calls.n * 2
  return Number.isFinite(calls.to) ? calls.to : calls.from
}

interface Case {
  call: number
  operation: string
  maker: TaskTimes | undefined
}

/** The lines of one call. A refusal makes no task, so it ends the list. */
function outcomesOf(rules: readonly Rule[], { call, operation, maker }: Case): string[] {
  const fitting = rules.filter(rule => !rule.calls || isAmong(rule.calls, call))
  const lines: string[] = []
  let isDoubtful = false
  const usual = usualOf(maker)
  for (const kind of effectKinds) {
    const acting = fitting.filter(rule => reaches(rule.then, kind, operation))
    const certain = acting.findIndex(rule => unknownConditions(rule).length === 0)
    const tried = certain < 0 ? acting : acting.slice(0, certain + 1)
    lines.push(...tried.map(rule => `${effectText(rule.then, kind, maker)} (${nameOf(rule)})`))
    if (certain >= 0 && kind === 'refuse') return lines
    isDoubtful ||= tried.length > 0 && (kind === 'refuse' || usual[kind] !== undefined)
    if (certain < 0 && usual[kind]) lines.push(isDoubtful ? `otherwise ${usual[kind]}` : usual[kind])
  }
  return lines
}

/** The result when no rule of a kind acts. */
function usualOf(maker: TaskTimes | undefined): Partial<Record<EffectKind, string>> {
  return maker ? { task: task.text({}, maker) } : { media: 'the whole file' }
}

/** The rule with its further conditions. */
function nameOf(rule: Rule): string {
  return [rule.name, ...unknownConditions(rule)].join(', ')
}
