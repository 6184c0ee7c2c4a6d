import { steadyNow } from '../worlds/clock.ts'
import { nowIn, type World } from '../worlds/world.ts'
import { advanceTo } from './advance.ts'

/**
 * Remembers that a reply asked an account to wait (`Retry-After`, seconds). In auto mode, after a client has slept for that time,
 * the world's time moves by the same wait.
 */
export function rememberWait(world: World, account: string, seconds: number): void {
  if (world.state.head.clock.mode !== 'auto' || !(seconds > 0)) return
  world.waits.set(account, {
    askedAtMs: steadyNow(),
    ms: seconds * 1000,
    untilMs: nowIn(world) + seconds * 1000,
  })
}

/** Called before a call of an account: when the account has waited long enough in steady time (A-steady), moves the clock to the end of that wait. */
export function moveToEndOfWait(world: World, account: string): void {
  const wait = world.waits.get(account)
  if (!wait || steadyNow() - wait.askedAtMs < wait.ms) return
  world.waits.delete(account)
  if (world.state.head.clock.mode === 'auto') advanceTo(world, wait.untilMs)
}
