import type { ControlClient } from '../../kits/client.ts'
import type { Row } from '../judge/row.ts'
import type { Need } from '../patience/needs.ts'
import type { Accepted } from '../report/accept.ts'
import type { EarlierCase } from '../report/again.ts'
import type { ReusedReport } from '../report/earlier.ts'
import type { Loaded } from '../run/loaded-files.ts'
import type { Subject, TimeChoice } from '../run/run.ts'
import type { States } from '../run/state-folder.ts'
import type { System } from '../system/system.ts'

/** The lowest level that fails an exploration. */
export const failOnWords = ['problems', 'warnings'] as const
/** The lowest level that fails an exploration. */
export type FailOn = (typeof failOnWords)[number]

/** The settings of an exploration. `exploreSettings` fills in the defaults. */
export interface Settings {
  only: readonly string[]
  skip: readonly string[]
  pairs: boolean
  /** The program is killed at each of its calls and starts again, instead of meeting failures. */
  restarts: boolean
  /** Of a system: the only service that restarts kill. */
  kill?: string
  /** Of a system: how long a service that was killed is away, ms. */
  restartAfterMs: number
  /** Of a system: also plays calls that overlap with their replies in the other order. */
  orders: boolean
  /** Measures how long the program survives and waits, in the place of the cases: all figures, or those that are needed. */
  patience: 'off' | 'needed' | 'all'
  /** Explores a program of which no undisturbed run receives a result: it only cancels, or only lists. */
  withoutResult: boolean
  /** What must be shown. */
  needs: readonly Need[]
  /** How many runs at a time; absent: two, and more while a program sleeps in real time. */
  jobs?: number
  /** The most wall milliseconds of a run with a failure; an undisturbed run may take three times as long. */
  limitMs: number
  /** No run starts after this many wall milliseconds. */
  budgetMs: number
  accept: readonly Accepted[]
  /** All that decides on a run beside the files that it loads, where it tells these; absent: it does not. */
  recorded?: string
  /** Whether the report says which handlers of the program no case ran. */
  coverage?: boolean
  /** An earlier report, whose rows are taken over where nothing that they depend on has changed; absent: every case is played. */
  reuse?: ReusedReport
  /** Plays only these problems and warnings of an earlier report; absent: every case. */
  again?: readonly EarlierCase[]
  seed: number
  /** Virtual time at which every world opens, ISO 8601. */
  now: string
  /** What fails the tests of the kits and ends the command with 1. */
  failOn: FailOn
  /** The folder in which the program is started; causes name its files. */
  folder: string
  /** The clock of every world; without it `manual` in virtual time and `auto` in real time. */
  clock?: 'realtime' | 'manual' | 'auto' | `${number}x`
  time: TimeChoice
  /** The command as a user types it. */
  command?: string
  /** Options that a replay of one case needs, too. */
  replay?: string
  signal: AbortSignal
  progress(done: { row?: Row; index: number; of: number }): void
}

/** The explored program, the emulator and the settings. */
export interface Exploration {
  emulator: ControlClient
  subject: Subject
  /** Where the program keeps what it remembers; absent for a function. */
  states?: States
  /** The system whose driver the subject is. */
  system?: System
  /** The names of its services whose calls are told apart. */
  callers?: readonly string[]
  /** Of a system: what its preparation loaded. */
  prepared?: Loaded
  /** What an earlier exploration had left and was cleaned, as sentences without their end. */
  cleaned?: readonly string[]
  settings: Settings
}
