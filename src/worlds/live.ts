import { nowIn, type World } from './world.ts'

/** How often a watched world is asked what time brought, and how often a silent line is kept alive; wall ms. */
const lookMs = 250
const heartbeatMs = 15_000

/** What somebody who watches a world wants to be called for. */
export interface Watch {
  /** A while has gone by, in which the world's time went from one moment to another or stood still. Both are virtual ms. */
  looked(from: number, to: number): void
  /** The line has perhaps been silent for long. */
  heartbeat(): void
}

/**
 * Looks after a world at the edge, on behalf of one open connection: the core has no timers, so that what time brings by itself
 * is seen only when somebody looks. Gives the function that ends it.
 */
export function watchTime(world: World, { looked, heartbeat }: Watch): () => void {
  let seen = nowIn(world)
  const looking = setInterval(() => {
    const now = nowIn(world)
    looked(seen, now)
    seen = now
  }, lookMs)
  const beating = setInterval(heartbeat, heartbeatMs)
  return () => {
    clearInterval(looking)
    clearInterval(beating)
  }
}
