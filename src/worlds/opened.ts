import type { World } from './world.ts'

/** A world that a call opened, while the call may still fail. */
export interface Opened {
  world: World
  /** The call succeeded: when there are too many worlds, others are dropped. */
  keep(): void
  /** The call failed: drops the world, unless somebody else has used it in the meantime. */
  takeBack(): void
}
