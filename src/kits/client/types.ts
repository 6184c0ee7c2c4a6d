import type {
  ClockMode,
  ScenarioDocument,
  ScenarioPlan,
  ScenarioThen,
  UnseenLibrary,
} from '../../emulator/words.ts'
import type {
  FamilyId,
  FamilyOf,
  OrText,
  ShippedScenario,
  StatusWord,
  TaskCharge,
  TaskKind,
} from './task-views.ts'

export type { ConnectionEffect, MediaEffect, RequestEffect } from '../../emulator/ground.ts'
export type * from './request-views.ts'
export type * from './task-views.ts'
export type * from './trace-views.ts'

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

/** A list of the control API. */
export interface List<T> {
  /** The entries of this page. */
  items: T[]
  /** Pass it as `cursor` to get the next page; absent on the last page. */
  next_cursor?: string
}

/** A world: one isolated emulated gateway. */
export interface WorldView {
  /** Its name: letters, digits, `_` and `-`, at most 64 characters. */
  id: string
  /** The key of its account `default`. */
  api_key: string
  /** The base address of the emulated API. It is the same for all worlds, since the key selects the world. */
  base_url: string
  /** Every id, duration and picture of the world follows from it. */
  seed: number
  /** Its clock. */
  clock: ClockView
  /** When it opened, virtual time, ISO 8601. */
  opened_at: string
  /** Its virtual time, ISO 8601. */
  now: string
  /** The names of the active scenarios. */
  scenarios: string[]
  /** The services whose calls are told apart; absent when it was opened without. */
  services?: readonly string[]
  /** How many tasks it holds, removed records included. */
  tasks: number
  /** The number of its newest request. It never falls while the emulator runs. */
  requests: number
}

export type { ClockMode, UnseenLibrary }

/** A world's clock. */
export interface ClockView {
  /** How it moves. */
  mode: ClockMode
  /** Virtual milliseconds per wall millisecond; it counts only in the mode `realtime`. */
  rate: number
  /** Its virtual time, ISO 8601. */
  now: string
  /** Its virtual time, epoch milliseconds. */
  now_ms: number
  /** How long it went as fast as wall time for programs that did not follow it. Absent: it never did. */
  wall_pace?: WallPace
  /** The libraries in which its processes would wait where nobody sees them. Absent: none. */
  unseen_libraries?: readonly UnseenLibrary[]
}

/** A time in which a run in virtual time went as fast as wall time: programs that did not follow its clock slept by themselves, were stopped, or were all that ran. */
export interface WallPace {
  /** Wall milliseconds. */
  ms: number
  /** The names of these programs, such as `sleep`; empty where they cannot be seen. */
  programs: readonly string[]
}

/** A change during an advance of the clock: of a task's state, in the family's words, or the end of its links. */
export interface ClockEvent {
  /** Virtual time, ISO 8601. */
  at: string
  /** The task. */
  task_id: string
  /** The family of the task. */
  family: OrText<FamilyId>
  /** The state before. */
  from: string
  /** The state after; `links_expired` when the links of a succeeded task have ended. */
  to: string
}

/** What an advance of the clock returns. */
export interface Advanced {
  /** The virtual time after it, ISO 8601. */
  now: string
  /** The virtual time after it, epoch milliseconds. */
  now_ms: number
  /** The changes on the way, in order. */
  events: ClockEvent[]
}

/** The scenarios of a world. */
export interface ScenarioList {
  /** Those that can be activated by name. `world`: posted to this world; `file`: given by `--scenario`; `shipped`: part of the package. */
  available: { name: string; description: string; source: 'world' | 'file' | 'shipped' }[]
  /** The names of the active ones, in the order in which their rules are tried. */
  active: string[]
}

/** A rule that will act once and has not acted yet. */
export interface InjectionView {
  /** Its id, for `injections.remove`. */
  id: string
  /** The operation that it waits for: an id such as `a.get`, or a glob. */
  operation: string
  /** The number of the call that it was made for, counted from when it was added; 1 is the next call. */
  nth: number
  /** How many calls are left, the one it acts on included. */
  calls_left: number
  /** What it does. */
  then: ScenarioThen
}

/** An account of a world. */
export interface AccountView {
  /** Its name inside the world. */
  id: string
  /** Its key. */
  api_key: string
  /** Keys with a label (`<key>:<label>`) that were used or set, at most 1,000; the key without one is listed when it was set. */
  keys: { label: string; api_key: string; disabled: boolean }[]
  /** The entry of `fixtures/accounts.json` that it was made from. */
  template: string
  /** Only an active account may send requests; the key of another one is answered with 401. */
  status: 'active' | 'disabled' | 'deleted'
  /** The models that it may use, by neutral id; null = all. */
  models: readonly string[] | null
  /** The resolutions that its group allows; null = all. */
  resolutions: readonly string[] | null
  /** Tasks admitted per minute of virtual time; further creates queue, then are 429. Other calls are never limited; null = no limit. */
  requests_per_minute: number | null
  /** Whether it may use the special variant of family C; `forbidden` is a 403 to each call, `not_found` a 404. */
  special: 'allowed' | 'forbidden' | 'not_found'
  /** Credits left; null = no limit. */
  balance: number | null
}

/** An entry of the asset library. */
export interface AssetView {
  /** `asset-…`. */
  id: string
  /** How requests refer to it: `asset://asset-…`. */
  reference: string
  /** The account that it belongs to. */
  account: string
  /** What it was registered as. */
  kind: 'image' | 'video' | 'audio'
  /** The format of its bytes, lower case: jpeg, png, mp4, mp3, … */
  format: string
  /** Its size in bytes. */
  bytes: number
  /** What its bytes show. */
  facts: AssetFacts
  /** True when the person that it shows is certified. */
  certified_person: boolean
  /** Virtual time, ISO 8601. */
  created_at: string
  /** Where it was fetched from; absent when its bytes were given. */
  url?: string
}

/** The properties of an asset's bytes; a property that does not apply is absent. */
export interface AssetFacts {
  /** What the bytes are. */
  kind: 'image' | 'video' | 'audio' | 'document'
  /** SHA-256 of the content, hex. */
  digest: string
  /** Width in pixels. */
  widthPx?: number
  /** Height in pixels. */
  heightPx?: number
  /** Whether a picture has an alpha channel. */
  hasAlpha?: boolean
  /** Length of a video or sound in seconds. */
  seconds?: number
  /** Frames per second of a video. */
  fps?: number
  /** Whether a video has sound. */
  hasAudio?: boolean
  /** `stand_in`: the bytes were not read, and the properties are believable inventions. */
  origin: 'data' | 'http' | 'asset' | 'own' | 'stand_in'
  /** Whether it shows a real person whom no certification covers. */
  realFace: boolean
}

/** A named copy of a world's state. */
export interface SnapshotView {
  /** Its name. */
  name: string
  /** The virtual time that a restore returns to, ISO 8601. */
  now: string
  /** The same in epoch milliseconds. */
  now_ms: number
  /** The clock in it. */
  clock: Pick<ClockView, 'mode' | 'rate'>
  /** How many tasks it holds. */
  tasks: number
  /** How many accounts it holds. */
  accounts: number
  /** How many assets it holds. */
  assets: number
  /** The names of the scenarios that are active in it. */
  scenarios: string[]
}

/** The console log of charges. */
export interface Ledger {
  /** Oldest first. */
  items: LedgerLine[]
  /** The sums of all lines, also of those that a limit leaves out. */
  totals: LedgerTotals
  /** With a limit, when there are older lines. */
  next_cursor?: string
}

/** One charge. Amounts are positive credits; `kind` gives the direction. */
export interface LedgerLine extends TaskCharge {
  /** The account that pays. */
  account: string
  /** The task that is paid for. */
  task_id: string
  /** The operation that made the task, such as `a.create`. */
  operation: string
  /** The model as the request wrote it. */
  model: string
  /** Credits after this line. An account without a limit starts at 0 and becomes negative. */
  balance: number
}

/** Sums of the ledger, in credits. */
export interface LedgerTotals {
  /** All reservations. */
  reserved: number
  /** All true prices of succeeded tasks. */
  settled: number
  /** All reservations given back whole. */
  refunded: number
  /** All parts of reservations given back when the true price was lower. */
  released: number
  /** Reserved and neither settled nor given back yet. */
  held: number
}
