import { setMaxListeners } from 'node:events'
import { choice, hint, readAt, time, UsageError, whole } from '../../emulator/options.ts'
import { readMoment } from '../../emulator/words.ts'
import { readNeed } from '../patience/needs.ts'
import { answeredAfter } from '../plan/orders.ts'
import type { Accepted } from '../report/accept.ts'
import { readEntry } from '../report/accept-file.ts'
import { type FailOn, failOnWords, type Settings } from './settings.ts'

/** Options of `emulator.explore` and `exploreTests`; durations are `20s`, `10m` or milliseconds. */
export interface ExploreOptions {
  /** Only these cases: `a.create`, `file_*`, `a.create *`, `a.create#1 task_expired`. */
  only?: readonly string[] | undefined
  /** Cases to leave out; the same patterns. */
  skip?: readonly string[] | undefined
  /** Also runs with two failures; default false. */
  pairs?: boolean | undefined
  /** Instead of failures: the program is killed at each of its calls and starts again. Only for commands. Default false, and true when `only` names a restart such as `killed_after`. */
  restarts?: boolean | undefined
  /** Of a system: restarts, of this service only. A part beside is killed at the calls of the others. */
  kill?: string | undefined
  /** Of a system: how long a service that was killed is away; default 1 s, of virtual time where that is possible. */
  restartAfter?: string | number | undefined
  /** Of a system: how many of a service run, such as `{ worker: 2 }`. */
  scale?: Readonly<Record<string, number>> | undefined
  /** Also plays calls that overlap with their replies in the other order; default false. */
  orders?: boolean | undefined
  /** Measures how long it survives and waits, in the place of the cases: `report.patience`; default false. */
  patience?: boolean | undefined
  /** Explores a program that makes tasks and receives no result, since it only cancels or lists them. Default false: then that is an error. */
  withoutResult?: boolean | undefined
  /** What must be shown, such as `outage=2m`; `report.patience.needs` says whether it was. Without `patience` only these figures are measured. */
  need?: readonly string[] | undefined
  /** How many runs at a time, 1 to 64; default 2, and up to 8 for a command that mostly waits, in real time. */
  jobs?: number | undefined
  /** The most wall time of a run with a failure; default 60 s. An undisturbed run may take three times as long. */
  limit?: string | number | undefined
  /** After this much wall time no further run starts; default 10 min. */
  budget?: string | number | undefined
  /** Cases whose problem is known. */
  accept?: readonly Accepted[] | undefined
  /** `warnings`: cases that are rude, or of which an uncaught error or the limit was the end, fail too; default `problems`. */
  failOn?: FailOn | undefined
  /** The seed of every world; default 1. */
  seed?: number | undefined
  /** Virtual time at which every world opens; default: the time when exploring begins. */
  now?: string | number | Date | undefined
  /** The clock of every world; default `auto`. A function sleeps in real time. */
  clock?: 'realtime' | 'manual' | 'auto' | `${number}x` | undefined
  /** An abort ends the runs. */
  signal?: AbortSignal | undefined
}

/** Defaults of `emulator.explore` and of the command line. */
export const defaults = {
  jobs: 2,
  limit: '60s',
  budget: '10m',
  failOn: 'problems',
  restartAfter: '1s',
} as const

export const readJobs = whole(1, 64)
export const readFailOn = choice(...failOnWords)
/** A length of time above 0, in ms. */
export const readLength = time(1)

const lists = ['only', 'skip', 'need', 'accept'] as const
const names = [
  ...lists,
  ...[
    'pairs',
    'restarts',
    'kill',
    'restartAfter',
    'scale',
    'orders',
    'patience',
    'withoutResult',
    'jobs',
    'limit',
    'budget',
    'failOn',
    'seed',
    'now',
    'clock',
    'signal',
  ],
]

/** Plain JavaScript may pass anything. Throws UsageError for an unknown option, and for a list that is none. */
function checkOptions(options: ExploreOptions): void {
  const unknown = Object.keys(options).find(name => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}${hint(unknown, names)}`)
  for (const name of lists)
    if (!Array.isArray(options[name] ?? []))
      throw new UsageError(`${name}: ${JSON.stringify(options[name])} is not an array`)
}

/** The options with all defaults filled in. `openedAt` is the default moment for worlds, ISO 8601. Throws UsageError. */
export function exploreSettings(options: ExploreOptions, openedAt: string): Settings {
  checkOptions(options)
  const {
    only = [],
    skip = [],
    pairs = false,
    restarts = options.kill !== undefined || asksForRestarts(only),
    kill,
    orders = asksForOrders(only),
    withoutResult = false,
    need = [],
    jobs,
    accept = [],
    seed = 1,
    now,
    clock,
  } = options
  return {
    only,
    skip,
    pairs,
    restarts,
    ...(kill !== undefined && { kill }),
    restartAfterMs: readAt(
      'restartAfter',
      lengthText(options.restartAfter ?? defaults.restartAfter),
      readLength,
    ),
    orders,
    patience: options.patience ? 'all' : need.length > 0 ? 'needed' : 'off',
    withoutResult,
    needs: need.map(text => readAt('need', text, readNeed)),
    ...(jobs !== undefined && { jobs: readAt('jobs', String(jobs), readJobs) }),
    limitMs: readAt('limit', lengthText(options.limit ?? defaults.limit), readLength),
    budgetMs: readAt('budget', lengthText(options.budget ?? defaults.budget), readLength),
    failOn: readAt('failOn', options.failOn ?? defaults.failOn, readFailOn),
    folder: process.cwd(),
    accept: accept.map((entry, index) =>
      readEntry({ reason: 'accepted', ...entry }, `accept: entry ${index + 1}`),
    ),
    seed,
    now: now === undefined ? openedAt : readNow(now),
    clock: clock ?? 'auto',
    time: 'real',
    signal: forManyRuns(options.signal),
    progress() {},
  }
}

/** A signal of its own, since each run that is under way listens to it. */
function forManyRuns(given: AbortSignal | undefined): AbortSignal {
  const signal = AbortSignal.any(given ? [given] : [])
  setMaxListeners(0, signal)
  return signal
}

export function asksForRestarts(only: readonly string[]): boolean {
  return only.some(text => /(?:^|\s)killed_/.test(text))
}

export function asksForOrders(only: readonly string[]): boolean {
  return only.some(text => text.includes(answeredAfter))
}

/** A moment as ISO 8601; without an offset it is UTC (A-moments). Throws UsageError. */
function readNow(now: string | number | Date): string {
  const read = readMoment(now instanceof Date ? now.getTime() : now)
  if ('fault' in read) throw new UsageError(`now: ${read.fault}`)
  return new Date(read.ms).toISOString()
}

/** A number means milliseconds, also when it is given as a text. */
function lengthText(length: string | number): string {
  return /^\d+(\.\d+)?$/.test(String(length)) ? `${length}ms` : String(length)
}
