import type { WorldClient } from '../index.ts'
import { followedClock } from './followed-clock.ts'

/** The parts of vitest's `vi` that move timers. */
export interface FakeTimers {
  /** Replaces timers and `Date`; `now` is epoch milliseconds. */
  useFakeTimers(config: {
    now: number
    toFake?: ('setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'Date')[]
  }): unknown
  /** Moves them forward, wall milliseconds. */
  advanceTimersByTimeAsync(ms: number): Promise<unknown>
}

/** A world's clock that can also move the test's timers. */
export type TimedClock = WorldClient['clock'] & {
  /**
   * Replaces timers and `Date` of the test by vitest's, set to the world's time; after that every `advance` moves both. The
   * world's clock becomes `manual`. Call `vi.useRealTimers()` at the end of the test.
   */
  attach(vi: FakeTimers): Promise<void>
}

/** The clock of a world, with `attach`. */
export function timedClock(clock: WorldClient['clock']): TimedClock {
  return followedClock<FakeTimers>(clock, {
    // Timers of Node's own network code are not replaced: its requests need wall time.
    stopAt: (vi, now) =>
      vi.useFakeTimers({
        now,
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      }),
    move: (vi, ms) => vi.advanceTimersByTimeAsync(ms),
  })
}
