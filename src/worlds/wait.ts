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
