/** How often a watched world is checked for changes, and how often a silent connection gets a keep-alive; wall ms. */
const lookMs = 250
const heartbeatMs = 15_000

/** The callbacks while a connection watches a world. */
export interface Watch {
  /** Some time has passed: there may be changes in the world. */
  looked(): void
  /** The connection may have been silent for a long time. */
  heartbeat(): void
}

/**
 * Calls back at intervals for one open connection. The core has no timers: changes that come with time are seen only when the
 * world is read. Returns the function that stops the calls.
 */
export function watchTime({ looked, heartbeat }: Watch): () => void {
  const looking = setInterval(looked, lookMs)
  const beating = setInterval(heartbeat, heartbeatMs)
  return () => {
    clearInterval(looking)
    clearInterval(beating)
  }
}
