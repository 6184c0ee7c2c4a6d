import { type Calls, isAmong } from './amounts.ts'
import type { Rule, Scenario } from './compile.ts'
import { unknownConditions } from './conditions/index.ts'
import { isRequestLost } from './effects/connection.ts'
import type { TaskTimes } from './effects/effect.ts'
import { type EffectKind, effectKinds, effectText, reaches } from './effects/index.ts'
import { task } from './effects/task.ts'
import { downloadOperation, makesTask, operations } from './operations.ts'

/** The most calls that are shown one by one. */
const mostCalls = 12

/**
 * The effects of a scenario call by call, for `scenarios check --dry-run`: on every operation that makes a task, on downloads, and on
 * each other operation that a rule acts on. Operations with the same course are shown together. Conditions on a prompt, a body or a
 * chance are unknown here; such rules are shown with their condition, followed by the result without them. `makers` has each operation
 * that makes a task.
 */
export function dryRun(scenario: Scenario, makers: readonly TaskTimes[]): string {
  const byCourse = new Map<string, string[]>()
  for (const operation of operations.filter(id => isShown(scenario, id))) {
    const maker = makers.find(one => one.operation === operation)
    const course = courseOf(scenario, maker ?? { operation, queuedMs: 0, runningMs: 0, words: {} })
    byCourse.set(course, [...(byCourse.get(course) ?? []), operation])
  }
  const title = scenario.description ? `${scenario.name}: ${scenario.description.trim()}` : scenario.name
  const parts = [...byCourse].map(([course, alike]) => `${alike.join(', ')}\n${course}`)
  return `${[title, ...parts].join('\n')}\n`
}

function isShown({ rules }: Scenario, operation: string): boolean {
  return (
    makesTask(operation) ||
    operation === downloadOperation ||
    rules.some(rule => rule.operations.has(operation))
  )
}

function courseOf({ rules }: Scenario, times: TaskTimes): string {
  const acting = rules.filter(rule => rule.operations.has(times.operation))
  const shown: { from: number; to: number; text: string }[] = []
  for (let call = 1; call <= callsToShow(acting); call++) {
    const fitting = acting.filter(({ calls }) => !calls || isAmong(calls, call))
    const text = outcomesOf(fitting, times).join('\n')
    const last = shown.at(-1)
    if (last?.text === text) last.to = call
    else shown.push({ from: call, to: call, text })
  }
  return shown
    .map(({ from, to, text }, i) => `  ${labelOf(from, to, i === shown.length - 1)}${indented(text)}`)
    .join('\n')
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

/** The lines of one call. A refusal or a lost request ends the list: nothing else happens then. */
function outcomesOf(rules: readonly Rule[], times: TaskTimes): string[] {
  const { operation } = times
  const usual = usualOf(times)
  const lines: string[] = []
  let isDoubtful = false
  for (const kind of effectKinds) {
    const acting = rules.filter(rule => reaches(rule.then, kind, operation))
    const certain = acting.findIndex(rule => unknownConditions(rule).length === 0)
    const tried = certain < 0 ? acting : acting.slice(0, certain + 1)
    lines.push(...tried.map(rule => `${effectText(rule.then, kind, times)} (${nameOf(rule)})`))
    const ending = tried.map(
      ({ then }) => kind === 'refuse' || (kind === 'connection' && isRequestLost(then.connection)),
    )
    if (certain >= 0 && ending.at(-1)) return lines
    isDoubtful ||= ending.includes(true) || (tried.length > 0 && usual?.kind === kind)
    if (certain < 0 && usual?.kind === kind) lines.push(isDoubtful ? `otherwise ${usual.text}` : usual.text)
  }
  // Of other operations only the disturbance is of interest.
  if (usual || (lines.length > 0 && !isDoubtful)) return lines
  return [...lines, isDoubtful ? 'otherwise the usual reply' : 'the usual reply']
}

/** The result when no rule of a kind acts. */
function usualOf(times: TaskTimes): { kind: EffectKind; text: string } | undefined {
  if (times.operation === downloadOperation) return { kind: 'media', text: 'the whole file' }
  return makesTask(times.operation) ? { kind: 'task', text: task.text({}, times) } : undefined
}

/** The rule with its further conditions. */
function nameOf(rule: Rule): string {
  return [rule.name, ...unknownConditions(rule)].join(', ')
}
