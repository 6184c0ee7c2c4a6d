import type { ScenarioDocument, ScenarioPlan } from '../../emulator/words.ts'
import type { FamilyOf, OrText, ShippedScenario, StatusWord, TaskKind } from './task-views.ts'
import type { ClockMode } from './world-views.ts'

export type { ConnectionEffect, MediaEffect, RequestEffect } from '../../emulator/ground.ts'
export type * from './request-views.ts'
export type * from './task-views.ts'
export type * from './trace-views.ts'
export type * from './world-views.ts'

/** A length of virtual time: `90s`, `1h30m`, `250ms`, `7d`, or milliseconds. */
export type Duration = OrText<`${number}${'ms' | 's' | 'm' | 'h' | 'd'}`> | number
/** A moment of virtual time: ISO 8601 or epoch milliseconds. */
export type Moment = string | number

/** Where an advance stops: at the next change of any task, when nothing more will change, or when a task takes a state in its family's word. */
export type Until = 'next' | 'idle' | { task: string; status: OrText<StatusWord> }

/** The reply of a call that sets something. */
export type Setting<Reply> = Reply & {
  /** True when the world was not open before this call. */
  opened?: true
}

/** A change of a world's clock; absent properties do not change. */
export interface ClockChange {
  /** How it moves. */
  mode?: ClockMode
  /** Virtual milliseconds per wall millisecond: 60 or "60x"; above 0, at most 1,000,000. */
  rate?: number | string
  /** The new time; a moment in the past is refused with 409. */
  now?: Moment
}

/** A task to make, also of a kind without a public endpoint. */
export interface NewTask<Kind extends TaskKind = TaskKind> {
  /** An operation id without `.create`. */
  kind: Kind
  /** That of the kind; may be left out. */
  family?: FamilyOf<Kind>
  /** The account that pays; default `default`. */
  account?: string
  /** The body of the request; missing fields come from the example requests of the package. */
  request?: Record<string, unknown>
  /** Its plan, as `then.task` in scenario rules; absent properties are drawn from the seed. */
  plan?: ScenarioPlan
}

/** An entry for the asset library, from `url` or `data`. */
export interface NewAsset {
  /** The kind of input for which requests may use it. */
  kind: 'image' | 'video' | 'audio'
  /** The account that it will belong to; default `default`. */
  account?: string
  /** Where to fetch it, within the emulator's option `inputs`. */
  url?: string
  /** A data URI. */
  data?: string
  /** Whether the person that it shows is certified; default false. */
  certified_person?: boolean
}

/** A change of an account; absent properties do not change, null means without limit. */
export interface AccountChange {
  /** The models that it may use, by neutral id or published name. */
  models?: string[] | null
  /** The resolutions that its group allows, such as `720p`. */
  resolutions?: string[] | null
  /** Tasks admitted per minute of virtual time; further creates queue, then are 429. Other calls are never limited. */
  requests_per_minute?: number | null
  /** Whether it may use the special variant of family C; see the account's own `special`. */
  special?: 'allowed' | 'forbidden' | 'not_found'
  /** Credits left. */
  balance?: number | null
  /** True: its keys are answered with 401. */
  disabled?: boolean
  /** Single keys, by their label; the key without one is `""`. A disabled one is answered with 401, the others work on. */
  keys?: Readonly<Record<string, { disabled?: boolean }>>
}

/** How to open a new world; absent properties are as in the emulator's options. */
export interface NewWorld {
  /** 1 to 64 letters, digits, `_` and `-`; default: a free name. */
  id?: string
  /** Every id, duration and picture follows from it; a whole number from 0. */
  seed?: number
  /** A mode, a rate such as `60x` or 60, or both with a moment. */
  clock?: ClockMode | `${number}x` | number | ClockChange
  /** The virtual time at which it opens. */
  now?: Moment | Date
  /** Active from the start, also after a reset: names of known scenarios, files, YAML texts, or documents. */
  scenarios?: readonly (OrText<ShippedScenario> | URL | ScenarioDocument)[]
  /**
   * The names of the services that call it, such as `web` and `worker-1`: each request then has the `service` that sent it. A key with that
   * label tells; else, on Linux, the process with the name in `GATEWAY_EMULATOR_SERVICE` and the world's in `GATEWAY_EMULATOR_WORLD`.
   */
  services?: readonly string[]
}
