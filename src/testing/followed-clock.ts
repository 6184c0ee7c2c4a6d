import type { WorldClient } from '../index.ts'

type Clock = WorldClient['clock']

/** A world's clock. After each change, and before the change resolves, `moved` is called with the world's time in epoch ms. */
export function watchedClock(clock: Clock, moved: (now: number) => Promise<void>): Clock {
  const after = async <T extends { now_ms: number }>(change: Promise<T>): Promise<T> => {
    const answer = await change
    await moved(answer.now_ms)
    return answer
  }
  return {
    get: () => clock.get(),
    set: change => after(clock.set(change)),
    advance: by => after(clock.advance(by)),
    advanceTo: to => after(clock.advanceTo(to)),
    advanceUntil: until => after(clock.advanceUntil(until)),
  }
}
