import { UsageError } from '../options/usage-error.ts'
import { parseDuration, readMoment } from '../worlds/clock.ts'
import { type Accepted, readEntry } from './accept.ts'
import type { Settings } from './settings.ts'

/** Options of `emulator.explore` and `exploreTests`; durations are `20s`, `10m` or milliseconds. */
export interface ExploreOptions {
  /** Only these cases: `a.create`, `file_*`, `a.create *`, `a.create#1 task_expired`. */
  only?: readonly string[] | undefined
  /** Not these; the same patterns. */
  skip?: readonly string[] | undefined
  /** Also two failures in one run; false where nothing is said. */
  pairs?: boolean | undefined
  /** How many runs at a time, 1 to 64; 2 where nothing is said. */
  jobs?: number | undefined
  /** The most wall time of a run with a failure; default 60 s. An undisturbed run may take three times as long. */
  limit?: string | number | undefined
  /** No run starts after this much wall time, 10 min where nothing is said. */
  budget?: string | number | undefined
  /** Cases whose problem is known. */
  accept?: readonly Accepted[] | undefined
  /** The seed of every world, 1 where nothing is said. */
  seed?: number | undefined
  /** Virtual time at which every world opens; the same moment for all runs where nothing is said. */
  now?: string | number | Date | undefined
  /** The clock of every world, `auto` where nothing is said. */
  clock?: 'realtime' | 'manual' | 'auto' | `${number}x` | undefined
  /** Ends the runs. */
  signal?: AbortSignal | undefined
}

/** Options with everything set. `openedAt` is the moment for worlds where the options name none, ISO 8601. Throws UsageError. */
export function exploreSettings(options: ExploreOptions, openedAt: string): Settings {
  const { only = [], skip = [], pairs = false, jobs = 2, accept = [], seed = 1, now, clock } = options
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64)
    throw new UsageError(`jobs: ${jobs} is not a whole number from 1 to 64`)
  return {
    only,
    skip,
    pairs,
    jobs,
    limitMs: readTime('limit', options.limit ?? '60s'),
    budgetMs: readTime('budget', options.budget ?? '10m'),
    accept: accept.map((entry, index) =>
      readEntry({ reason: 'accepted', ...entry }, `accept: entry ${index + 1}`),
    ),
    seed,
    now: now === undefined ? openedAt : readNow(now),
    clock: clock ?? 'auto',
    signal: options.signal ?? new AbortController().signal,
    progress() {},
  }
}

/** A moment as ISO 8601; without an offset it is UTC (A-moments). Throws UsageError. */
function readNow(now: string | number | Date): string {
  const read = readMoment(now instanceof Date ? now.getTime() : now)
  if ('fault' in read) throw new UsageError(`now: ${read.fault}`)
  return new Date(read.ms).toISOString()
}

/** A length of time in ms. Throws UsageError that names the option. */
function readTime(name: string, text: string | number): number {
  const ms = parseDuration(typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text)
  if (ms === undefined || ms === 0)
    throw new UsageError(`${name}: "${text}" is not a length of time such as 20s, 10m or 1h30m`)
  return ms
}
