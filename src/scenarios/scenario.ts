import type { SpelledWhen } from './conditions/index.ts'
import type { DrawnEffects, SpelledThen } from './effects/index.ts'

export type { SpelledWhen } from './conditions/index.ts'
export type { SpelledThen } from './effects/index.ts'
export type { Refusal } from './effects/refuse.ts'
export type { SpelledTask, TaskEffect } from './effects/task.ts'

/** A scenario: a named list of rules, as a file or a request to the control API holds it. */
export interface ScenarioDocument {
  /** Letters, digits, `-` and `_`, at most 64 characters. */
  name: string
  /** What happens, in a sentence or two. */
  description?: string
  /** At most 1000. The first rule of each kind of effect that matches a request wins. */
  rules: readonly ScenarioRule[]
}

/** When a request matches, then something happens (interface, "Scenario files"). Values are as the file spells them. */
export interface ScenarioRule {
  /** All given conditions must hold; without any, every request that the effects can act on. */
  when?: SpelledWhen
  /** One or more kinds of effect. */
  then: SpelledThen
}

/** All that scenarios and prompt tags do to one request. The first rule of each kind that matches wins. */
export interface Effects extends DrawnEffects {
  /** `scenario/rule` names that acted, for `X-Emulator-Rule`. */
  rule?: string
}

/** Nothing happens. */
export const noEffects: Effects = Object.freeze({})
