import type { Options } from '../options/config.ts'
import { asUsageError } from '../options/start-options.ts'
import { assembleEmulator, type Emulator } from '../server/emulator.ts'

/** Assembles an emulator for a command. Throws UsageError when a scenario file is wrong. */
export function assembleForCommand(options: Options): Promise<Emulator> {
  return assembleEmulator(options).catch(error => {
    throw asUsageError(error)
  })
}
