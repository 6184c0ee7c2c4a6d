import type { OneCall } from '../worlds/journal.ts'
import { readWhen } from './conditions/index.ts'
import type { When } from './conditions/words.ts'
import { effectKinds, reaches, readThen, type Then } from './effects/index.ts'
import { canEnd } from './effects/task.ts'
import { makesTask } from './operations.ts'
import type { ScenarioDocument, ScenarioRule } from './scenario.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** A rule, ready to be checked against requests. */
export interface Rule extends When {
  /** `scenario/number`, counted from 1. */
  name: string
  then: Then
}

/** A scenario, ready for use. */
export interface Scenario {
  name: string
  description: string
  rules: readonly Rule[]
}

/** By document, as long as a world holds it: compiling takes 40 µs, and each request asks each active scenario. */
const ready = new WeakMap<ScenarioDocument, Scenario>()

/** Compiles a document whose shape has been checked; the same document object gives the same scenario. Throws ScenarioError for invalid values. */
export function compile(document: ScenarioDocument): Scenario {
  const known = ready.get(document)
  if (known) return known
  const { name, description = '' } = document
  const rules = document.rules.map((rule, i) => compileRule(rule, `${name}/${i + 1}`, ['rules', i]))
  const scenario = { name, description, rules }
  ready.set(document, scenario)
  return scenario
}

/** Compiles a rule; `steps` is its path in the document. Throws ScenarioError for invalid values. */
export function compileRule(source: ScenarioRule, name: string, steps: Steps): Rule {
  const when = readWhen(source.when ?? {}, [...steps, 'when'])
  const then = readThen(source.then, [...steps, 'then'])
  const operations = new Set([...when.operations].filter(operation => canAct(then, operation)))
  checkOutcome(when.operations, then, steps)
  checkOrder(when, then, steps)
  if (operations.size === 0) throw inert(source, steps)
  return { ...when, operations, name, then }
}

/** Throws ScenarioError when each task that the rule could act on is made by an operation that cannot end so. */
function checkOutcome(operations: ReadonlySet<string>, { task }: Then, steps: Steps): void {
  const makers = [...operations].filter(makesTask)
  if (task?.outcome === undefined || makers.length === 0) return
  if (makers.some(operation => canEnd(operation, task.outcome))) return
  throw new ScenarioError(
    `${task.outcome} is no outcome of ${makers.join(' and ')}, whose reply has the result`,
    { steps: [...steps, 'then', 'task', 'outcome'], hint: 'write succeeded or failed' },
  )
}

/** Throws ScenarioError when a rule is about one call alone, whose reply must come after itself. */
function checkOrder({ calls, conditions, ...when }: When, { connection }: Then, steps: Steps): void {
  const other = connection?.after as OneCall | undefined
  if (!other || [...when.operations].some(operation => operation !== other.operation)) return
  const isCounted = conditions.length === 0 && !when.during && !when.since && when.probability === undefined
  const isOne = calls?.kind === 'between' && calls.from === other.call && calls.to === other.call
  if (isCounted && isOne) throw afterItself(other, [...steps, 'then'])
}

/** The error of a rule that makes a reply wait for itself; `steps` lead to its `then`. */
export function afterItself({ operation, call }: OneCall, steps: Steps): ScenarioError {
  return new ScenarioError(`the reply to call ${call} of ${operation} cannot come after itself`, {
    steps: [...steps, 'connection', 'after'],
    hint: 'name another call',
  })
}

/** Whether any effect of a rule can act on one of its operations. */
function canAct(then: Then, operation: string): boolean {
  return effectKinds.some(kind => reaches(then, kind, operation))
}

function inert({ when, then }: ScenarioRule, steps: Steps): ScenarioError {
  const kinds = Object.keys(then).join(' and ')
  return new ScenarioError(`${kinds} cannot act on ${String(when?.operation)}`, {
    steps: [...steps, 'then'],
    hint: 'task acts on operations that make tasks, such as *.create; media on those and on media.download',
  })
}
