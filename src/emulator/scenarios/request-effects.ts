import type { IncomingHttpHeaders } from 'node:http'
import { FaultError } from '../faults/fault.ts'
import { paramOf } from '../http/validate.ts'
import { drawStream, headChanged, nowIn, ownedBy, type World } from '../worlds/world.ts'
import { isAmong } from './amounts.ts'
import type { Rule, Scenario } from './compile.ts'
import { isWithin, type Since } from './conditions/words.ts'
import { drawEffects, effectKinds, reaches } from './effects/index.ts'
import { takeDueRules } from './inject.ts'
import { scenarioNamed, unknownScenario } from './known-scenarios.ts'
import { type Reads, type RequestFacts, type TaskPlaces, valueAt } from './matchers.ts'
import { mergeEffects, takeTags } from './prompt-tags.ts'
import { type Effects, noEffects } from './scenario.ts'
import type { Steps } from './scenario-error.ts'

/** The header that names the scenario of one request. */
export const trigger = 'x-emulator-scenario'

/** The parts of a request that scenarios use. */
export interface RequestParts {
  endpoint: { operation: string; reads?: Reads; tasksIn?: TaskPlaces }
  family: string
  account: string
  headers: IncomingHttpHeaders
  params: Readonly<Record<string, string>>
  /** The query as it was sent, without `?`. */
  query: string
  /** The parsed body; undefined when it could not be parsed. */
  body: unknown
  /** False when the body's text has no tag, or tags are switched off. */
  mayHaveTags: boolean
}

/** Whether a scenario may act on a request without prompt tags: the header names one, or the world has rules. */
export function mayHaveRules(world: World, headers: IncomingHttpHeaders): boolean {
  const { active, injections } = world.state.head
  return headers[trigger] !== undefined || active.length > 0 || injections !== undefined
}

/** What scenarios read in a request: their effects, and the body without its prompt tags. */
export interface ReadRequest {
  effects: Effects
  body: unknown
}

/** The effects on a request. Prompt tags win over the header trigger, and the trigger wins over the world's active scenarios. */
export function readRequest(world: World, parts: RequestParts): ReadRequest {
  const { body, prompts, effects } = withoutTags(parts)
  const facts = factsOf({ ...parts, body }, prompts, nowIn(world))
  const external = taskNamesIn(parts).external.flatMap(name => idsOf(world, name, parts))
  if (external.length > 0) facts.taskIds = [...(facts.taskIds ?? []), ...external]
  return { effects: mergeEffects(effects, effectsOfRules(world, facts)), body }
}

/** The effects of the scenario in a request's header and of the world's active scenarios. Call it once per request, since it counts calls. */
export function effectsOfRules(world: World, facts: RequestFacts): Effects {
  const named = facts.headers[trigger]
  const byRules = effectsOf(world, facts)
  const triggered = named === undefined ? noEffects : effectsOfOne(world, String(named), facts)
  return mergeEffects(triggered, byRules)
}

/** The facts that rules use, of an earlier request. */
export function requestFacts(parts: RequestParts, now: number): RequestFacts {
  try {
    const { body, prompts } = withoutTags(parts)
    return factsOf({ ...parts, body }, prompts, now)
  } catch (error) {
    // A request with an unknown tag was refused; its prompt keeps the tag.
    if (!(error instanceof FaultError)) throw error
    return factsOf(parts, promptsIn(parts), now)
  }
}

/** A prompt, and the keys that lead to it in the body. */
interface Prompt {
  text: string
  steps: Steps
}

/** The body and its prompts without tags, and the effects of the tags. A body without tags is the same object. */
function withoutTags(parts: RequestParts): ReadRequest & { prompts: readonly Prompt[] } {
  const found = promptsIn(parts)
  if (!parts.mayHaveTags) return { body: parts.body, prompts: found, effects: noEffects }
  let { body } = parts
  let effects = noEffects
  const prompts = found.map(({ text, steps }) => {
    const taken = takeTags(text, paramOf(`/${steps.join('/')}`))
    if (!taken) return { text, steps }
    effects = mergeEffects(effects, taken.effects)
    body = withText(body, steps, taken.text)
    return { text: taken.text, steps }
  })
  return { body, prompts, effects }
}

/** A copy of a JSON value with another text at one place. Parts off the way to it are shared, not copied. */
function withText(value: unknown, [step, ...rest]: Steps, text: string): unknown {
  if (step === undefined) return text
  if (Array.isArray(value)) return value.map((entry, i) => (i === step ? withText(entry, rest, text) : entry))
  const fields: Record<string, unknown> = { ...(value as object) }
  return { ...fields, [step]: withText(fields[step], rest, text) }
}

/** The id of the caller's task with this external id. */
function idsOf(world: World, name: string, { family, account }: RequestParts): string[] {
  const owned = ownedBy(world, family, account)
  // Blanks may belong to an external id.
  const id = owned?.idOf(name) ?? owned?.idOf(name.trim())
  return id === undefined ? [] : [id]
}

function factsOf(
  { endpoint, family, account, headers, body, ...parts }: RequestParts,
  prompts: readonly Prompt[],
  now: number,
): RequestFacts {
  const model = endpoint.reads?.model(body, parts.params)
  const mode = endpoint.reads?.mode?.(body)
  const { ids, external } = taskNamesIn({ endpoint, body, ...parts })
  const taskIds = [...ids, ...external]
  return {
    operation: endpoint.operation,
    family,
    account,
    key: String(headers.authorization ?? '').replace(/^Bearer /, ''),
    ...(typeof model === 'string' && { model }),
    ...(mode !== undefined && { mode }),
    ...(prompts.length > 0 && { prompt: prompts.map(prompt => prompt.text).join('\n') }),
    ...(taskIds.length > 0 && { taskIds }),
    headers,
    body,
    now,
  }
}

/** How a request names tasks that exist: by their ids, or by ids of the caller. The first list of the query with a name wins. */
function taskNamesIn({
  endpoint: { tasksIn = {} },
  params,
  query,
  body,
}: Pick<RequestParts, 'endpoint' | 'params' | 'query' | 'body'>): { ids: string[]; external: string[] } {
  const given = new URLSearchParams(tasksIn.query ? query : '')
  const lists = (tasksIn.query ?? []).map(name => {
    const names = given.getAll(name).flatMap(list => list.split(','))
    return { name, names: names.filter(one => one.trim() !== '') }
  })
  const { name, names = [] } = lists.find(list => list.names.length > 0) ?? {}
  const inBody = tasksIn.body === undefined ? undefined : valueAt(body, tasksIn.body)
  const alone = [params.task_id, inBody].filter(one => typeof one === 'string')
  if (name !== undefined && name === tasksIn.external) return { ids: alone, external: names }
  return { ids: [...alone, ...names.map(one => one.trim())], external: [] }
}

/** Every text where the operation has prompts. */
function promptsIn({ endpoint, body }: Pick<RequestParts, 'endpoint' | 'body'>): Prompt[] {
  return (endpoint.reads?.prompts ?? []).flatMap(pointer => textsAt(body, pointer.split('/').slice(1), []))
}

/** The texts at a JSON pointer; `*` means every index of an array. */
function textsAt(value: unknown, [step, ...rest]: readonly string[], above: Steps): Prompt[] {
  if (step === undefined) return typeof value === 'string' ? [{ text: value, steps: above }] : []
  if (typeof value !== 'object' || value === null) return []
  if (step !== '*') return textsAt((value as Record<string, unknown>)[step], rest, [...above, step])
  return Array.isArray(value) ? value.flatMap((entry, i) => textsAt(entry, rest, [...above, i])) : []
}

/** The context for applying scenarios to one request. */
interface Trial {
  world: World
  request: RequestFacts
  /** The virtual moment when the scenario became active. */
  since: number
  /** Separates the counters of a scenario in the header from those of the active scenario. */
  counterPrefix: string
}

/**
 * The effects of the world's active scenarios on a request: for each kind of effect the first matching rule. Rules that act once
 * come first, then scenarios in the order of activation. Call it once per request: it counts calls and draws from the world's seed.
 * Throws `internal` when this run does not know an active scenario.
 */
export function effectsOf(world: World, request: RequestFacts): Effects {
  const { active, injections } = world.state.head
  if (active.length === 0 && !injections) return noEffects
  const found: Effects = {}
  for (const rule of takeDueRules(world, request.operation))
    addEffects(rule, { world, request, since: request.now, counterPrefix: '' }, found)
  for (const { name, since } of active) {
    const scenario = scenarioNamed(world, name)
    if (!scenario) throw lost(name)
    apply(scenario, { world, request, since, counterPrefix: '' }, found)
  }
  return found.rule === undefined ? noEffects : found
}

/** The effects of the scenario in a request's `X-Emulator-Scenario` header. Throws `invalid_parameter` for an unknown name. */
export function effectsOfOne(world: World, name: string, request: RequestFacts): Effects {
  const scenario = scenarioNamed(world, name)
  if (!scenario)
    throw new FaultError('invalid_parameter', {
      param: 'X-Emulator-Scenario',
      reason: unknownScenario(world, name),
    })
  const found: Effects = {}
  apply(scenario, { world, request, since: request.now, counterPrefix: 'header:' }, found)
  return found.rule === undefined ? noEffects : found
}

function lost(name: string): FaultError {
  const reason = `the scenario "${name}" is active in this world but not known to this run; start with --scenario FILE again, or PUT /__emulator/scenarios/active`
  return new FaultError('internal', { reason })
}

/** Adds the effects of a scenario's rules to `found`. Every rule is checked, even when its effects are already decided, so that other active scenarios do not change the counts. */
function apply(scenario: Scenario, trial: Trial, found: Effects): void {
  for (const rule of scenario.rules) {
    if (matches(rule, trial)) addEffects(rule, trial, found)
  }
}

/** Adds to `found` the kinds of effects that no earlier rule has decided. */
function addEffects(rule: Rule, trial: Trial, found: Effects): void {
  const { world, request } = trial
  const kinds = effectKinds.filter(
    kind => found[kind] === undefined && reaches(rule.then, kind, request.operation),
  )
  if (kinds.length === 0) return
  Object.assign(
    found,
    drawEffects(rule.then, kinds, () => drawStream(world, `rule ${rule.name}`)),
  )
  found.rule = found.rule === undefined ? rule.name : `${found.rule},${rule.name}`
}

/** Cheap conditions first. The call is counted when all of them match, and the chance is drawn last. */
function matches(rule: Rule, trial: Trial): boolean {
  const { world, request, since } = trial
  if (rule.since && !hasBegun(rule.since, rule.name, trial)) return false
  if (!rule.operations.has(request.operation)) return false
  if (rule.during && !isWithin(rule.during, request.now - since)) return false
  const labelOf = (id: string) => world.state.tasks.get(id)?.label
  if (!rule.conditions.every(condition => condition.holds(request, labelOf))) return false
  if (rule.calls && !isAmong(rule.calls, countedCall(rule, trial))) return false
  if (rule.probability === undefined) return true
  return drawStream(world, `chance ${rule.name}`).next() < rule.probability
}

/** Whether the call from which a rule acts has come. The calls of its operation are counted here, and the moment of that call is kept. */
function hasBegun(
  { operations, call, forMs }: Since,
  rule: string,
  { world, request, counterPrefix }: Trial,
): boolean {
  const { counters } = world.state.head
  const counter = `${counterPrefix}${rule} since`
  const begunAt = counters[`${counter} at`]
  if (begunAt !== undefined) return request.now - begunAt < forMs
  if (!operations.has(request.operation)) return false
  const number = (counters[counter] ?? 0) + 1
  counters[counter] = number
  if (number >= call) counters[`${counter} at`] = Math.floor(request.now)
  headChanged(world)
  return number >= call
}

/**
 * How many coming calls of an operation are made before one from which a rule acts, and when that call was, if it was made already;
 * undefined while the rule waits for a call of another operation.
 */
export function calledSince(
  counters: Readonly<Record<string, number>>,
  { name, since }: Pick<Rule, 'name' | 'since'>,
  operation: string,
): { skips: number; atMs?: number } | undefined {
  const counter = `${name} since`
  const atMs = counters[`${counter} at`]
  if (!since || atMs !== undefined) return { skips: 0, ...(atMs !== undefined && { atMs }) }
  if (!since.operations.has(operation)) return undefined
  return { skips: Math.max(0, since.call - (counters[counter] ?? 0) - 1) }
}

/** Counts the call, and returns its number. */
function countedCall(rule: Rule, { world, counterPrefix }: Trial): number {
  const { counters } = world.state.head
  const key = `${counterPrefix}${rule.name}`
  const number = (counters[key] ?? 0) + 1
  counters[key] = number
  headChanged(world)
  return number
}
