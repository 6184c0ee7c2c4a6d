import { checkScenario } from '../scenarios/load.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import type { EmulatorOptions } from '../server/emulator.ts'
import { type ClockMode, parseRate } from '../worlds/clock.ts'
import { isTableName, type Options, readTable, tableNames } from './config.ts'
import { optionRows } from './table.ts'
import { hint, UsageError } from './usage-error.ts'

/** Options of `startEmulator` and `createEmulator`: those of the command line, spelled as code likes them. */
export type StartOptions = Omit<EmulatorOptions, 'clock' | 'now' | 'data'> & {
  /** `realtime`, `manual`, `auto`, a rate such as `60x`, or both parts. */
  clock?: ClockMode | `${number}x` | Options['clock'] | undefined
  /** Virtual time at which worlds open: ISO 8601, epoch milliseconds, or a Date. */
  now?: string | number | Date | undefined
  /** Where to keep worlds and media; absent = in memory. */
  dataDir?: string | undefined
}

/** Options that no flag sets as it stands here: objects, paths that the environment tells, and tables of a config file. */
const others = ['logger', 'ffmpegPath', ...tableNames]

/**
 * Options as the emulator takes them; undefined and null are options that are not set. Throws UsageError for an option that does
 * not exist and a value that means nothing, and ScenarioError for a wrong scenario.
 */
export function readStartOptions(given: StartOptions): EmulatorOptions {
  const { dataDir: data, scenarios, ...rest } = given
  if (((rest as { data?: unknown }).data ?? undefined) !== undefined)
    throw new UsageError('Unknown option data; did you mean dataDir?')
  const set = Object.entries({ ...rest, ...(data !== undefined && { data }) }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return {
    ...Object.fromEntries(set.map(([name, value]) => [name, readOption(name, value)])),
    ...(scenarios && {
      scenarios: scenarios.map(entry => (typeof entry === 'string' ? entry : checkScenario(entry))),
    }),
  }
}

/** The error that code gets: for a scenario that is wrong or unknown, a UsageError with the sentence of the command line. */
export function asUsageError(error: unknown): unknown {
  return error instanceof ScenarioError ? new UsageError(error.told, { cause: error }) : error
}

function readOption(name: string, value: unknown): unknown {
  if (isTableName(name)) return readTable(name, value, name)
  if (others.includes(name)) return value
  if (name === 'clock' && typeof value === 'object') return readClock(value as Partial<Options['clock']>)
  if (name === 'now' && value instanceof Date) return readAsFlag(name, String(value.getTime()))
  return readAsFlag(name, String(value))
}

function readClock({ mode = 'realtime', rate = 1 }: Partial<Options['clock']>): unknown {
  if (mode !== 'realtime') return { ...(readAsFlag('clock', mode) as object), rate: rateOf(rate) }
  return { mode, rate: rateOf(rate) }
}

function rateOf(rate: unknown): number {
  const read = parseRate(rate)
  if (read === undefined) throw new UsageError(`clock.rate: ${JSON.stringify(rate)} is not a rate such as 60`)
  return read
}

/** As the flag of that name reads it, so that code and command line understand the same. */
function readAsFlag(key: string, text: string): unknown {
  const row = optionRows.find(candidate => candidate.key === key)
  if (!row) {
    const names = optionRows.map(known => (known.key === 'data' ? 'dataDir' : known.key))
    throw new UsageError(`Unknown option ${key}${hint(key, [...names, ...others])}`)
  }
  try {
    return row.read(text)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${key}: ${error.message}`) : error
  }
}
