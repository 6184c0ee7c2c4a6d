import type { WorldClient } from '../index.ts'

type Clock = WorldClient['clock']

/** How another clock, such as that of a browser's page, follows a world's. */
interface Following<T> {
  /** Stops it at the world's time, epoch ms. */
  stopAt(target: T, now: number): unknown
  /** Moves it forward, ms. */
  move(target: T, ms: number): Promise<unknown>
}

/**
 * A world's clock with `attach`, which makes the world's clock `manual`. After each change, and before the change resolves, attached
 * clocks are moved by the same time.
 */
export function followedClock<T>(
  clock: Clock,
  { stopAt, move }: Following<T>,
): Clock & { attach(target: T): Promise<void> } {
  const attached: { target: T; now: number }[] = []
  const after = async <R extends { now_ms: number }>(change: Promise<R>): Promise<R> => {
    const answer = await change
    for (const one of attached) {
      const gap = answer.now_ms - one.now
      one.now = Math.max(one.now, answer.now_ms)
      if (gap > 0) await move(one.target, gap)
    }
    return answer
  }
  return {
    get: () => clock.get(),
    set: change => after(clock.set(change)),
    advance: by => after(clock.advance(by)),
    advanceTo: to => after(clock.advanceTo(to)),
    advanceUntil: until => after(clock.advanceUntil(until)),
    async attach(target) {
      const { now_ms: now } = await clock.set({ mode: 'manual' })
      await stopAt(target, now)
      attached.push({ target, now })
    },
  }
}
