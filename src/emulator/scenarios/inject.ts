// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import type { Injection } from '../worlds/head.ts'
import { underWayIn } from '../worlds/under-way.ts'
import { drawStream, headChanged, type World } from '../worlds/world.ts'
import { checkShape, checkSize } from './check.ts'
import { afterItself, compileRule, type Rule } from './compile.ts'
import { type SpelledThen, thenSchema } from './effects/index.ts'
import { ScenarioError } from './scenario-error.ts'

/** A rule that acts once, as callers send it. */
interface NewInjection {
  operation: string
  nth?: number
  then: SpelledThen
}

/** The body of `POST /__emulator/inject`. */
export const injectionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation', 'then'],
  properties: {
    operation: { type: 'string', minLength: 1, description: 'an operation id, or a glob such as *.create' },
    nth: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'which call of it, counted from 1 (the next call); 1 when absent',
    },
    then: thenSchema,
  },
} as const

/** The most waiting rules in one world. */
const mostWaiting = 1000

/** Compiled rules of waiting injections, by their `then`, since every request checks them all. An injection changes with each call, but its `then` stays the same object. */
const ready = new WeakMap<Injection['then'], Rule>()

/** Adds a rule that acts once, on the `nth` call of an operation from now (the next one by default). Throws ScenarioError. */
export function inject(world: World, value: unknown): Injection {
  const { operation, nth = 1, then } = checkInjection(value)
  checkOrder(world, { operation, nth, then })
  const waiting = injectionsOf(world)
  if (waiting.length >= mostWaiting)
    throw new ScenarioError(`${mostWaiting} rules wait in this world already`, {
      steps: [],
      hint: 'delete rules that will never act',
    })
  // The id comes from the stream's ordinal, which is unique in a world, also after a restart.
  drawStream(world, 'inject')
  const injection = { id: `inject-${world.state.head.draws.inject}`, operation, nth, left: nth, then }
  setInjections(world, [...waiting, injection])
  return injection
}

/** Throws ScenarioError when the reply to the call that the rule will meet must come after itself. */
function checkOrder(world: World, { operation, nth, then }: Required<NewInjection>): void {
  const { connection } = then
  const other = typeof connection === 'object' ? connection.after : undefined
  const call = (underWayIn(world).calls.get(operation) ?? 0) + nth
  if (other?.operation === operation && other.call === call) throw afterItself(other, ['then'])
}

/** Checks a rule that acts once. Throws ScenarioError with the path and a hint. */
export function checkInjection(value: unknown): NewInjection {
  checkSize(value)
  const asked = checkShape<NewInjection>(injectionSchema, value)
  try {
    compileRule({ when: { operation: asked.operation }, then: asked.then }, 'inject', [])
  } catch (error) {
    if (!(error instanceof ScenarioError) || error.steps[0] !== 'when') throw error
    const { message, steps, hint } = error
    throw new ScenarioError(message, { steps: steps.slice(1), hint })
  }
  return asked
}

/** The rules that have not acted yet, oldest first. */
export function injectionsOf({ state }: Pick<World, 'state'>): readonly Injection[] {
  return state.head.injections ?? []
}

/** The same, ready to be checked, with the number of the call on which each acts; 1 is the next. */
export function waitingRules(world: World): { rule: Rule; left: number; then: SpelledThen }[] {
  return injectionsOf(world).map(injection => {
    const { left, then } = injection
    return { rule: ruleOf(injection), left, then: then as SpelledThen }
  })
}

/** Removes a rule before it acts; false for an unknown id. */
export function withdraw(world: World, id: string): boolean {
  const waiting = injectionsOf(world)
  const kept = waiting.filter(injection => injection.id !== id)
  if (kept.length === waiting.length) return false
  setInjections(world, kept)
  return true
}

/**
 * Counts a call for every waiting rule of its operation, and returns the rules that act on this call. These are removed, so call
 * this function once per request.
 */
export function takeDueRules(world: World, operation: string): Rule[] {
  const waiting = injectionsOf(world)
  if (!waiting.some(injection => ruleOf(injection).operations.has(operation))) return []
  const due: Rule[] = []
  const kept = waiting.flatMap(injection => {
    const rule = ruleOf(injection)
    if (!rule.operations.has(operation)) return [injection]
    if (injection.left > 1) return [{ ...injection, left: injection.left - 1 }]
    due.push(rule)
    return []
  })
  setInjections(world, kept)
  return due
}

function ruleOf({ id, operation, then }: Injection): Rule {
  const known = ready.get(then)
  if (known) return known
  const rule = compileRule({ when: { operation }, then }, id, [])
  ready.set(then, rule)
  return rule
}

function setInjections(world: World, injections: readonly Injection[]): void {
  const { head } = world.state
  if (injections.length > 0) head.injections = injections
  else delete head.injections
  headChanged(world)
}
