import { setTimeout as elapse } from 'node:timers/promises'
import { nowIn, type World } from './world.ts'

/** A clock that is moved or set to another pace while somebody waits is noticed this soon. Wall ms. */
const longestNapMs = 50

/** Waits so many wall milliseconds; keeps no process alive. */
export function pause(ms: number): Promise<void> {
  return elapse(ms, undefined, { ref: false })
}

/** Waits in real time until a world's clock has come to a virtual moment, no longer moves by itself, or the world has gone. */
export async function waitUntil(world: World, at: number): Promise<void> {
  const { generation } = world
  while (world.generation === generation) {
    const { mode, rate } = world.state.head.clock
    const leftMs = at - nowIn(world)
    if (mode !== 'realtime' || leftMs <= 0) return
    await elapse(Math.min(longestNapMs, Math.ceil(leftMs / rate)), undefined, { ref: false })
  }
}
