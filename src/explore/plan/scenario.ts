// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import {
  downloadOperation,
  familyIds,
  makesTask,
  type ScenarioDocument,
  type ScenarioPlan,
  type ScenarioRule,
  type ScenarioThen,
} from '../../emulator/words.ts'
import { type Case, isSameCall, nameOfCase } from './case.ts'
import type { Failure } from './catalogue.ts'

export const scenarioName = 'explore'

const ownLabel = 'explored'

/** A scenario that plays a case, in the form of a scenario file. */
export function scenarioOf(one: Case): ScenarioDocument {
  return {
    name: scenarioName,
    description: `${nameOfCase(one)}: ${one.failure.title}${one.and ? `, and ${one.and.failure.title}` : ''}.`,
    rules: rulesOfEach(one).flat(),
  }
}

/** A rule that causes a failure, by the name that journals give it, and what it does. */
export interface NamedRule extends Pick<ScenarioRule, 'then'> {
  name: string
}

/** The rules that cause the failure of a case, and those that cause the second one of a pair. A rule that only labels a task causes none. */
export function rulesByFailure(one: Case): NamedRule[][] {
  let count = 0
  return rulesOfEach(one).map(rules => {
    const labels = rules.flatMap(({ when }) => (typeof when?.task === 'object' ? when.task.of : []))
    return rules.flatMap(({ then }) => {
      count++
      const isLabel = labels.some(label => label === then.task?.label)
      return isLabel ? [] : { name: `${scenarioName}/${count}`, then }
    })
  })
}

/** The names of the rules that cause those failures of a case which are of a kind. */
export function rulesOfFailures(one: Case, isOfKind: (failure: Failure) => boolean): string[] {
  const failures = [one.failure, ...(one.and ? [one.and.failure] : [])]
  return rulesByFailure(one).flatMap((rules, index) =>
    failures[index] && isOfKind(failures[index]) ? rules.map(({ name }) => name) : [],
  )
}

/** The names of the rules that acted on a request or a task. A tag of a prompt and a rule of the user's have names, too. */
export function ruleNames({ rule = '' }: { rule?: string | undefined }): string[] {
  return rule === '' ? [] : rule.split(',')
}

export function isOfExplore(rule: string): boolean {
  return rule.startsWith(`${scenarioName}/`)
}

function rulesOfEach(one: Case): ScenarioRule[][] {
  const second = secondOf(one)
  if (!second) return [rulesOf(one)]
  const isOfOtherTask = one.create && second.create && !isSameCall(one.create, second.create)
  return [rulesOf(one), rulesOf(isOfOtherTask ? { label: `${ownLabel}-2`, ...second } : second)]
}

/** The second failure of a pair. When both are of one call, it acts on the repetition of that call. */
export function secondOf(one: Case): Omit<Case, 'and'> | undefined {
  const { and } = one
  return and && isSameCall(one, and) ? { ...and, nth: and.nth + 1 } : and
}

/**
 * A failure that is not transient happens again when the program repeats the call: a refusal, a task that
 * fails because of its request, a broken or missing file. Every other failure happens once.
 */
function rulesOf(one: Omit<Case, 'and'>): ScenarioRule[] {
  const { operation, nth, failure, create, plan, cancels, label = ownLabel } = one
  const then = withFailure(failure.then, create && isSameCall(create, one) ? plan : undefined)
  if (failure.id === 'outage') return outageRules(one)
  if (failure.id === 'delete_refused' && create && cancels)
    return [
      { when: { operation: create.operation, call: create.nth }, then: { task: { ...plan, ...runsLong } } },
    ]
  const refused = refusedByAccount(one)
  if (refused) return [{ when: { ...refused, since: { operation, call: nth } }, then }]
  if (!isLasting(failure)) return [{ when: { operation, call: nth }, then }]
  if (!create || !isOfOneTask(failure)) return [{ when: { operation, call: `from ${nth}` }, then }]
  if (isSameCall(create, { operation, nth })) return [{ when: { operation, call: `from ${nth}` }, then }]
  return [
    { when: { operation: create.operation, call: create.nth }, then: { task: { ...plan, label } } },
    { when: { operation, task: { of: label } }, then },
  ]
}

/** The gateway itself then refuses the DELETE, and everything else that the program sees is in accord with that. */
const runsLong = { queued: '0s', running: '10m' } as const

/** The operations that need a key: all but downloads. */
const withKey = familyIds.map(family => `${family}.*`)
/** The operations that cost something. */
const charged = ['*.create', '*.enhance', '*.regenerate', '*.generate']

/**
 * What a refusal that is the state of the account refuses from then on, so that nothing is paid in a world in which the gateway would refuse
 * it: a refused key each call, a low balance all that costs, a model each call that makes something with it. Undefined for other failures.
 */
function refusedByAccount({ operation, failure, model }: Omit<Case, 'and'>): ScenarioRule['when'] {
  switch (failure.id) {
    case 'unauthenticated':
      return { operation: withKey }
    case 'insufficient_balance':
      return { operation: charged }
    case 'no_access':
      return { operation: `${operation.split('.')[0]}.*` }
    case 'forbidden_model':
      return makesTask(operation)
        ? { operation: charged, ...(model !== undefined && { model }) }
        : { operation: `${operation.split('.')[0]}.*` }
    default:
      return undefined
  }
}

/** From the call on, every call is refused for half a minute. Calls before it are answered, however long the program took to start. */
function outageRules({ operation, nth, failure: { then } }: Omit<Case, 'and'>): ScenarioRule[] {
  const since = { operation, call: nth, for: '30s' }
  return [
    { when: { since }, then },
    { when: { operation: downloadOperation, since }, then: { connection: { reset: 'before_request' } } },
  ]
}

/** Outcomes that follow from the content or the parameters: the same request ends in the same way again. */
const forTheRequest = ['late_refusal', 'task_moderated']

/** Whether a failure happens again when the program repeats the call. */
export function isLasting({ id, kind, transient }: Failure): boolean {
  return !transient && (kind === 'refusal' || kind === 'media' || forTheRequest.includes(id))
}

/** Whether a failure is of one task or its file only. A refused key, in contrast, is refused for every task. */
export function isOfOneTask({ id, kind }: Failure): boolean {
  return kind === 'media' || id === 'not_found'
}

/** A plan in which a failure changes what it names. An error belongs to its outcome. */
function withFailure(then: ScenarioThen, plan: ScenarioPlan = {}): ScenarioThen {
  if (!then.task) return then
  const { error, ...rest } = plan
  return { ...then, task: { ...(then.task.outcome === undefined ? plan : rest), ...then.task } }
}
