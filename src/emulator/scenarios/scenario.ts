import type { SpelledWhen } from './conditions/index.ts'
import type { DrawnEffects, SpelledThen } from './effects/index.ts'

export type { SpelledWhen, SpelledWhen as ScenarioWhen } from './conditions/index.ts'
export type { PromptTag, SpelledThen, SpelledThen as ScenarioThen } from './effects/index.ts'
export type { SpelledTask as ScenarioPlan, TaskEffect } from './effects/task.ts'

/** A scenario: a named list of rules, from a file or a request to the control API. */
export interface ScenarioDocument {
  /** Letters, digits, `-` and `_`, at most 64 characters. */
  name: string
  /** A description in one or two sentences. */
  description?: string
  /** The document as its author wrote it, YAML or JSON, with comments. Only for editors. */
  $text?: string
  /** At most 1000. The first rule of each kind of effect that matches a request wins. */
  rules: readonly ScenarioRule[]
}

/** A rule: conditions on a request, and effects. Values are as in the file. */
export interface ScenarioRule {
  /** All given conditions must match; without conditions, every request that the effects can act on matches. */
  when?: SpelledWhen
  /** One or more kinds of effects. */
  then: SpelledThen
}

/** All effects of scenarios and prompt tags on one request. The first matching rule of each kind wins. */
export interface Effects extends DrawnEffects {
  /** `scenario/rule` names that acted, for `X-Emulator-Rule`. */
  rule?: string
}

/** What a text is where a scenario is given: YAML or JSON has a line break or begins with a brace, a path has a dot or a slash. */
export function formOf(given: string): 'name' | 'file' | 'text' {
  if (/\n|^\s*\{/.test(given)) return 'text'
  return /[./\\]/.test(given) ? 'file' : 'name'
}

/** No effects. */
export const noEffects: Effects = Object.freeze({})
