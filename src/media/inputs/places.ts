import { createSharedGate, type SharedGate } from '../shared-gate.ts'

/** Who may have how many inputs in hand at once: a world whose hosts are slow must not keep others waiting. */
export interface InputPlaces {
  /** At most four inputs are in memory at once, so that ten large ones stay within bounds. */
  inHand: SharedGate
  /** Downloads wait for hosts that may be slow; inputs that are here already must not wait for them. */
  downloads: SharedGate
}

export function createInputPlaces(): InputPlaces {
  return {
    inHand: createSharedGate({ each: 4, all: 4 }),
    downloads: createSharedGate({ each: 8, all: 64 }),
  }
}
