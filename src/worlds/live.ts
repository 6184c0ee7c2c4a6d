import { nowIn, type World } from './world.ts'

/** How often a watched world is asked what time brought, and how often a silent line is kept alive; wall ms. */
const lookMs = 250
const heartbeatMs = 15_000

/** What somebody who watches a world wants to be called for. */
export interface Watch {
  /** Time moved by itself from one moment to another (realtime mode). Both are virtual ms. */
  passed(from: number, to: number): void
  /** A while has gone by. */
  heartbeat(): void
}

/**
 * Looks after a world at the edge, on behalf of one open connection: the core has no timers, so that what time brings by itself
 * is seen only when somebody looks. Gives the function that ends it.
 */
export function watchTime(world: World, { passed, heartbeat }: Watch): () => void {
  let seen = nowIn(world)
  const looking = setInterval(() => {
    const now = nowIn(world)
    if (now > seen && world.state.head.clock.mode === 'realtime') passed(seen, now)
    seen = now
  }, lookMs)
  const beating = setInterval(heartbeat, heartbeatMs)
  return () => {
    clearInterval(looking)
    clearInterval(beating)
  }
}
