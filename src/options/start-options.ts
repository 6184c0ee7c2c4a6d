import { checkScenario } from '../scenarios/load.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import type { EmulatorOptions } from '../server/emulator.ts'
import { type ClockMode, parseRate } from '../worlds/clock.ts'
import { isTableName, type Options, readTable, tableNames } from './config.ts'
import { optionRows } from './table.ts'
import { hint, UsageError } from './usage-error.ts'

/** Options of `startEmulator` and `createEmulator`: the options of the command line with names and types for code. */
export type StartOptions = Omit<EmulatorOptions, 'clock' | 'now' | 'data'> & {
  /** `realtime`, `manual`, `auto`, a rate such as `60x`, or both parts. */
  clock?: ClockMode | `${number}x` | Options['clock'] | undefined
  /** Virtual time at which worlds open: ISO 8601, epoch milliseconds, or a Date. */
  now?: string | number | Date | undefined
  /** Where to keep worlds and media; absent = in memory. */
  dataDir?: string | undefined
}

/** Options that have another type than their flag: objects, paths from the environment, and tables of a config file. */
const others = ['logger', 'ffmpegPath', ...tableNames]

/**
 * Reads the options of code into the emulator's options. Undefined and null mean that an option is not set. Throws UsageError for
 * an unknown option and an invalid value, and ScenarioError for a wrong scenario.
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

/** The error for callers in code: for a wrong or unknown scenario, a UsageError with the message of the command line. */
export function asUsageError(error: unknown): unknown {
  return error instanceof ScenarioError ? new UsageError(error.fullMessage, { cause: error }) : error
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

/** Reads a value like the flag of this name, so that code and command line agree. */
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
