// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { nowIn, type World } from '../worlds/world.ts'
import { compile, type Rule } from './compile.ts'
import { effectKinds, reaches, type SpelledThen } from './effects/index.ts'
import { waitingRules } from './inject.ts'
import { documentNamed } from './known-scenarios.ts'
import type { RequestFacts } from './matchers.ts'
import { calledSince } from './request-effects.ts'

/** A rule that can act on the next calls of a kind. Calls are counted from 1, the next one. */
export interface ComingRule {
  rule: Rule
  /** What it does to them, as it was written. */
  then: SpelledThen
  /** The first and the last call on which it can act; Infinity without an end. */
  first: number
  last: number
  /** It acts only on every nth of them. */
  every?: number
  /** It acts only on calls from one virtual moment on and before another, epoch ms. */
  fromMs: number
  untilMs: number
  /** The headers on which it depends. */
  headers: string[]
}

/** What is known of a call before it is made: all but its headers. */
export type ComingCall = Omit<RequestFacts, 'headers'>

/** On which of the coming calls a rule can act. */
type Span = Pick<ComingRule, 'first' | 'last' | 'every' | 'fromMs' | 'untilMs'>

/**
 * The rules of a world that can act on coming calls, in the order in which they are tried: those that act once, and those of the
 * active scenarios. Nothing is counted or drawn. A rule that waits for a call of another operation is left out until that has come.
 */
export function comingRules(world: World, call: ComingCall): ComingRule[] {
  const once = waitingRules(world).map(({ rule, left, then }) => {
    const span: Span = { first: left, last: left, fromMs: -Infinity, untilMs: Infinity }
    return { rule, then, span }
  })
  const lasting = world.state.head.active.flatMap(({ name, since }) => {
    const document = documentNamed(world, name)
    if (!document) return []
    return compile(document).rules.flatMap((rule, i) => {
      const span = fits(world, rule, call) && spanOf(world, rule, { since, call })
      return span ? [{ rule, then: document.rules[i]?.then ?? {}, span }] : []
    })
  })
  return [...once, ...lasting].flatMap(({ rule, then, span }) => {
    const kinds = effectKinds.filter(kind => reaches(rule.then, kind, call.operation))
    if (!rule.operations.has(call.operation) || kinds.length === 0 || span.untilMs <= call.now) return []
    const headers = rule.conditions.flatMap(({ field }) => /^header (.*)/.exec(field)?.[1] ?? [])
    return [{ rule, then: Object.fromEntries(kinds.map(kind => [kind, then[kind]])), ...span, headers }]
  })
}

/** Whether everything that is known of the call is as a rule asks. */
function fits(world: World, { conditions }: Rule, call: ComingCall): boolean {
  const request = { ...call, headers: {} }
  const labelOf = (id: string) => world.state.tasks.get(id)?.label
  return conditions.every(
    condition => condition.field.startsWith('header ') || condition.holds(request, labelOf),
  )
}

/** The calls and the time that are left for a rule of a scenario; undefined when there are none. */
function spanOf(
  world: World,
  rule: Rule,
  { since, call }: { since: number; call: ComingCall },
): Span | undefined {
  const { counters } = world.state.head
  const begin = rule.since ? calledSince(counters, rule, call.operation) : { skips: 0 }
  if (!begin) return undefined
  const { skips, atMs } = begin
  const { from, to, ...every } = callsLeft(rule, counters[rule.name] ?? 0)
  if (to < 1) return undefined
  const ends = atMs === undefined || !rule.since ? Infinity : atMs + rule.since.forMs
  return {
    first: skips + from,
    last: skips + to,
    ...every,
    fromMs: rule.during ? since + rule.during.fromMs : -Infinity,
    untilMs: Math.min(ends, rule.during ? since + rule.during.toMs : Infinity),
  }
}

/** The calls on which a rule acts, counted from the next one, when `made` of them were made. */
function callsLeft({ calls }: Rule, made: number): { from: number; to: number; every?: number } {
  if (!calls) return { from: 1, to: Infinity }
  if (calls.kind === 'every') return { from: calls.n - (made % calls.n), to: Infinity, every: calls.n }
  return { from: Math.max(1, calls.from - made), to: calls.to - made }
}

/** Whether a rule acts on the next call, whatever that is like. */
export function isCertain(world: World, { rule, first, headers, fromMs }: ComingRule): boolean {
  return first === 1 && headers.length === 0 && (rule.probability ?? 1) === 1 && fromMs <= nowIn(world)
}
