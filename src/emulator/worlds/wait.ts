import { clearInterval, setInterval } from 'node:timers'
import { setTimeout as elapse } from 'node:timers/promises'
import { nowIn, type World } from './world.ts'

/** How soon a wait notices that the clock was moved or its rate changed. Wall ms. */
const longestNapMs = 50

/** Waits this many wall milliseconds; does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return elapse(ms, undefined, { ref: false })
}

/** Waits in real time until a world's clock reaches a virtual moment, the clock stops, or the world was reset or dropped. */
export async function waitUntil(world: World, at: number): Promise<void> {
  const { generation } = world
  while (world.generation === generation) {
    const { mode, rate } = world.state.head.clock
    const leftMs = at - nowIn(world)
    if (mode !== 'realtime' || leftMs <= 0) return
    await elapse(Math.min(longestNapMs, Math.ceil(leftMs / rate)), undefined, { ref: false })
  }
}

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
