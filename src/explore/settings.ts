import type { EmulatorClient } from '../client/client.ts'
import type { Accepted } from './accept.ts'
import type { Row } from './report.ts'
import type { Subject } from './run.ts'

/** The settings of an exploration. `exploreSettings` fills in the defaults. */
export interface Settings {
  only: readonly string[]
  skip: readonly string[]
  pairs: boolean
  jobs: number
  /** The most wall milliseconds of a run with a failure; an undisturbed run may take three times as long. */
  limitMs: number
  /** No run starts after this many wall milliseconds. */
  budgetMs: number
  accept: readonly Accepted[]
  seed: number
  /** Virtual time at which every world opens, ISO 8601. */
  now: string
  clock: 'realtime' | 'manual' | 'auto' | `${number}x`
  /** The command as a user types it. */
  command?: string
  /** Options that a replay of one case needs, too. */
  replay?: string
  signal: AbortSignal
  /** Is called after each case. */
  progress(done: { row?: Row; index: number; of: number }): void
}

/** The explored program, the emulator and the settings. */
export interface Exploration {
  emulator: EmulatorClient
  subject: Subject
  settings: Settings
}
