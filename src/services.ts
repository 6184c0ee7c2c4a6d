import type { Options } from './config.ts'
import type { Log } from './log.ts'
import type { Inputs } from './media/inputs.ts'
import type { Library } from './media/library.ts'
import type { WorldDatabase } from './worlds/world.ts'
import type { Worlds } from './worlds/worlds.ts'

/** The parts that handlers work with; made once by `emulator.ts`. */
export interface Services {
  options: Options
  worlds: Worlds
  library: Library
  inputs: Inputs
  database: WorldDatabase
  log: Log
}
