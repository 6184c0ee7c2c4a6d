import type { Options } from './config.ts'
import type { EmulatorOptions } from './emulator.ts'
import { optionRows } from './option-rows.ts'
import { checkScenario } from './scenarios/load.ts'
import { UsageError } from './usage-error.ts'
import type { ClockMode } from './worlds/clock.ts'

/** Options of `startEmulator` and `createEmulator`: those of the command line, spelled as code likes them. */
export type StartOptions = Omit<EmulatorOptions, 'clock' | 'now' | 'data'> & {
  /** `realtime`, `manual`, `auto`, a rate such as `60x`, or both parts. */
  clock?: ClockMode | `${number}x` | Options['clock'] | undefined
  /** Virtual time at which worlds open: ISO 8601, epoch milliseconds, or a Date. */
  now?: string | number | Date | undefined
  /** Where to keep worlds and media; absent = in memory. */
  dataDir?: string | undefined
}

/** Options as the emulator takes them. Throws UsageError for a value that means nothing, and ScenarioError for a wrong scenario. */
export function readStartOptions(given: StartOptions): EmulatorOptions {
  const { clock, now, dataDir, scenarios, ...rest } = given
  const known = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(known),
    ...(clock !== undefined && { clock: readClock(clock) }),
    ...(now !== undefined && { now: readNow(now) }),
    ...(dataDir !== undefined && { data: dataDir }),
    ...(scenarios && {
      scenarios: scenarios.map(entry => (typeof entry === 'string' ? entry : checkScenario(entry))),
    }),
  }
}

function readClock(clock: NonNullable<StartOptions['clock']>): Options['clock'] {
  return typeof clock === 'string' ? (readAsFlag('clock', clock) as Options['clock']) : clock
}

function readNow(now: string | number | Date): number {
  if (typeof now === 'string') return readAsFlag('now', now) as number
  return typeof now === 'number' ? now : now.getTime()
}

/** As the flag of that name reads it, so that code and command line understand the same. */
function readAsFlag(key: keyof Options, text: string): unknown {
  const row = optionRows.find(candidate => candidate.key === key)
  if (!row) throw new Error(`No option is named ${key}`)
  try {
    return row.read(text)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${key}: ${error.message}`) : error
  }
}
