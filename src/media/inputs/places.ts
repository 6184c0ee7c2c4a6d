import { createSharedGate, type SharedGate } from '../shared-gate.ts'

/** How many inputs are read at once, in all and for each world: a world with slow hosts must not make others wait. */
export interface InputPlaces {
  /** At most four inputs are in memory at once, so that ten large ones do not need too much memory. */
  inMemory: SharedGate
  /** Downloads have places of their own: inputs that need no download must not wait for slow hosts. */
  downloads: SharedGate
}

export function createInputPlaces(): InputPlaces {
  return {
    inMemory: createSharedGate({ each: 4, all: 4 }),
    downloads: createSharedGate({ each: 8, all: 64 }),
  }
}
