import { checkScenario } from '../scenarios/load.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { suggestion } from '../wording/shown.ts'
import { parseRate } from '../worlds/clock.ts'
import { isTableName, readTable, tableNames } from './config.ts'
import type { Log } from './log.ts'
import { hint, readAt, UsageError } from './read-value.ts'
import { type Options, optionRows, type StartOptions } from './table.ts'

/** Options as the parts of an emulator take them: any subset; scenarios may be documents. */
export type EmulatorOptions = Partial<Omit<Options, 'scenarios'>> & {
  scenarios?: readonly (string | ScenarioDocument)[]
  logger?: Log
}

/** Options that have another type than their flag: objects, paths from the environment, and tables of a config file. */
const others = ['logger', 'ffmpegPath', ...tableNames]

/**
 * Reads the options of code into the emulator's options. Undefined and null mean that an option is not set. Throws UsageError for
 * an unknown option and an invalid value, and ScenarioError for a wrong scenario.
 */
export function readStartOptions(given: StartOptions): EmulatorOptions {
  // Plain JavaScript may pass anything.
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(`The options are an object such as {"seed":1}, not ${JSON.stringify(given)}`)
  const { dataDir: data, scenarios, ...rest } = given
  if (((rest as { data?: unknown }).data ?? undefined) !== undefined)
    throw new UsageError(`Unknown option data; ${suggestion('dataDir')}`)
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
  return readAt(key, text, row.read)
}
