import type { Page } from '@playwright/test'
import type { WorldClient } from '../../index.ts'
import { followedClock } from '../client/followed-clock.ts'

/** A world's clock that can also move a browser page's clock. */
export type PageClock = Omit<WorldClient['clock'], 'attach'> & {
  /**
   * Sets the page's clock to the world's and stops both; after that every `advance` moves timers and `Date` of the page by the same
   * time. Call it before `page.goto`. The world's clock becomes `manual`, since two running clocks would drift apart.
   */
  attach(page: Pick<Page, 'clock'>): Promise<void>
}

/** A page's clock starts this much before the world's and is then moved to it, since it can be stopped only at a future moment. */
export const leadMs = 60_000

/** The clock of a world, with `attach` for a page. */
export function pageClock(clock: WorldClient['clock']): PageClock {
  return followedClock<Pick<Page, 'clock'>>(clock, {
    async stopAt(page, now) {
      await page.clock.install({ time: now - leadMs })
      await page.clock.pauseAt(now)
      return ms => page.clock.fastForward(ms)
    },
  })
}
