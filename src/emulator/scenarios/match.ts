import { FaultError } from '../faults/fault-error.ts'
import { drawStream, headChanged, type World } from '../worlds/world.ts'
import { isAmong } from './amounts.ts'
import type { Rule, Scenario } from './compile.ts'
import type { Since } from './conditions/condition.ts'
import { isWithin } from './conditions/words.ts'
import { drawEffects, effectKinds, reaches } from './effects/index.ts'
import { takeDueRules } from './inject.ts'
import { scenarioNamed, unknownScenario } from './known-scenarios.ts'
import type { RequestFacts } from './request-facts.ts'
import { type Effects, noEffects } from './scenario.ts'

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

/** Counts the call, and returns its number. */
function countedCall(rule: Rule, { world, counterPrefix }: Trial): number {
  const { counters } = world.state.head
  const key = `${counterPrefix}${rule.name}`
  const number = (counters[key] ?? 0) + 1
  counters[key] = number
  headChanged(world)
  return number
}
