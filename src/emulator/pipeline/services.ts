import type { Inputs, Library, SelfLinkFile } from '../../media/index.ts'
import type { BodyMemory } from '../http/large-bodies.ts'
import type { Log } from '../options/log.ts'
import type { Options } from '../options/table.ts'
import type { World, WorldDatabase } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** The world that a request is for, and the base of its links. */
export interface LinkContext {
  world: World
  baseUrl: string
  services: Services
}

/** The parts that handlers use; `emulator.ts` makes them once. */
export interface Services {
  options: Options
  worlds: Worlds
  library: Library
  inputs: Inputs
  /** The file behind a link of this emulator itself; undefined for any other address. */
  selfLink(place: LinkContext, url: URL): SelfLinkFile | undefined
  /** Limits the memory of all request bodies together. */
  bodies: BodyMemory
  database: WorldDatabase
  log: Log
}
