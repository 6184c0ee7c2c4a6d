import type { Page } from '@playwright/test'
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
function followedClock<T>(
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

/** A world's clock that can also move a browser page's clock. */
export type PageClock = WorldClient['clock'] & {
  /**
   * Sets the page's clock to the world's and stops both; after that every `advance` moves timers and `Date` of the page by the same
   * time. Call it before `page.goto`. The world's clock becomes `manual`, since two running clocks would drift apart.
   */
  attach(page: Pick<Page, 'clock'>): Promise<void>
}

/** A page's clock starts this much before the world's and is then moved to it, since it can be stopped only at a future moment. */
const leadMs = 60_000

/** The clock of a world, with `attach`. */
export function pageClock(clock: WorldClient['clock']): PageClock {
  return followedClock<Pick<Page, 'clock'>>(clock, {
    async stopAt(page, now) {
      await page.clock.install({ time: now - leadMs })
      await page.clock.pauseAt(now)
    },
    move: (page, ms) => page.clock.fastForward(ms),
  })
}

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
