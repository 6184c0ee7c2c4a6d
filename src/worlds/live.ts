/** How often a watched world is asked what time brought, and how often a silent connection is kept alive; wall ms. */
const lookMs = 250
const heartbeatMs = 15_000

/** What is called while a connection watches a world. */
export interface Watch {
  /** Some time has gone by: the world's own time may have brought changes. */
  looked(): void
  /** The connection may have been silent for long. */
  heartbeat(): void
}

/**
 * Calls back at intervals on behalf of one open connection. The core has no timers: what time brings by itself is seen only when
 * somebody looks. Returns the function that stops it.
 */
export function watchTime({ looked, heartbeat }: Watch): () => void {
  const looking = setInterval(looked, lookMs)
  const beating = setInterval(heartbeat, heartbeatMs)
  return () => {
    clearInterval(looking)
    clearInterval(beating)
  }
}
