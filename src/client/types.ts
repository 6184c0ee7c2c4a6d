import type { Finding } from '../control/findings/client-lint.ts'
import type { entryView } from '../control/journal/entry-view.ts'
import type { accountView } from '../control/resources/accounts.ts'
import type { assetView } from '../control/resources/assets.ts'
import type { clockView } from '../control/resources/clock.ts'
import type { injectionView } from '../control/resources/inject.ts'
import type { LedgerLine, LedgerTotals } from '../control/resources/ledger.ts'
import type { snapshotView } from '../control/resources/snapshots.ts'
import type { StoryItem } from '../control/story/story-items.ts'
import type { taskLine } from '../control/tasks/task-line.ts'
import type { taskView } from '../control/tasks/task-view.ts'
import type { ScenarioDocument, SpelledTask, SpelledWhen } from '../scenarios/scenario.ts'

export type { Finding } from '../control/findings/client-lint.ts'

/** A task in a reply of the control API: request, plan, facts, view, timeline, charges, media. */
export interface TaskView extends ReturnType<typeof taskView> {}
/** A task as one bar of a time line: `GET /tasks?detail=line`. */
export interface TaskLine extends ReturnType<typeof taskLine> {}
/** A journal entry. */
export interface RequestView extends ReturnType<typeof entryView> {}
/** A world's clock. */
export interface ClockView extends ReturnType<typeof clockView> {}
export interface AccountView extends ReturnType<typeof accountView> {}
export interface AssetView extends ReturnType<typeof assetView> {}
export interface SnapshotView extends ReturnType<typeof snapshotView> {}

/** A change of state during an advance of the clock, in the family's words. */
export interface ClockEvent {
  at: string
  task_id: string
  family: string
  from: string
  to: string
}

export interface Advanced {
  now: string
  now_ms: number
  events: ClockEvent[]
}

/** `90s`, `1h30m`, `250ms`, or milliseconds. */
export type Duration = string | number
/** ISO 8601 or epoch milliseconds. */
export type Moment = string | number

/** Where an advance stops: at the next change of any task, when nothing more will change, or when a task takes a state. */
export type Until = 'next' | 'idle' | { task: string; status: string }

export interface ClockChange {
  mode?: 'realtime' | 'manual' | 'auto'
  /** Virtual milliseconds per wall millisecond: 60 or "60x". */
  rate?: number | string
  now?: Moment
}

/** A rule that will act once and has not acted yet. */
export interface InjectionView extends ReturnType<typeof injectionView> {}

export interface ScenarioList {
  available: { name: string; description: string; source: 'world' | 'file' | 'shipped' }[]
  active: string[]
}

/** Selects requests: as `when` in scenario rules (without `probability`), and `status`. */
export type RequestMatcher = Omit<SpelledWhen, 'probability'> & {
  /** The HTTP status of the reply. */
  status?: number
}

export interface Verification {
  match?: RequestMatcher
  /** By default, at least 1. */
  count?: { exactly?: number; at_least?: number; at_most?: number }
  /** Requests that must be found in this order. */
  order?: RequestMatcher[]
}

export interface Verdict {
  ok: boolean
  found: number
  /** What is wrong, in a sentence. */
  message?: string
  /** Which entries a full journal dropped. `ok` is not true when they could change it. */
  incomplete?: string
  /** The numbers of the found requests. */
  requests: number[]
  near_misses: { request: RequestView; reasons: string[] }[]
}

export interface Story {
  task_id: string
  items: (Omit<StoryItem, 'at' | 'place'> & { at: string; at_ms: number })[]
  /** The whole story as a log. */
  text: string
  /** Which entries about the task a full journal dropped. */
  incomplete?: string
}

export interface Ledger {
  items: LedgerLine[]
  totals: LedgerTotals
}

/** A task to make, also of a kind without a public endpoint. */
export interface NewTask {
  family: string
  kind: string
  account?: string
  request?: Record<string, unknown>
  /** As `then.task` in scenario rules: queued, running, outcome, error. */
  plan?: SpelledTask
}

export interface NewAsset {
  kind: 'image' | 'video' | 'audio'
  account?: string
  url?: string
  /** A data URI. */
  data?: string
  certified_person?: boolean
}

export interface AccountChange {
  models?: string[] | null
  resolutions?: string[] | null
  requests_per_minute?: number | null
  balance?: number | null
  disabled?: boolean
}

/** How to open a new world, where this differs from the emulator's options. */
export interface NewWorld {
  id?: string
  seed?: number
  clock?: 'realtime' | 'manual' | 'auto' | `${number}x` | number | ClockChange
  now?: Moment | Date
  /** Names of known scenarios, or documents. */
  scenarios?: readonly (string | ScenarioDocument)[]
}

export interface WorldView {
  id: string
  api_key: string
  base_url: string
  seed: number
  clock: ClockView
  opened_at: string
  now: string
  scenarios: string[]
  tasks: number
}

export interface List<T> {
  items: T[]
  next_cursor?: string
}

export type Findings = Finding[]
