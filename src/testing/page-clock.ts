import type { Page } from '@playwright/test'
import type { WorldClient } from '../index.ts'
import { watchedClock } from './watched-clock.ts'

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
  const pages: { page: Pick<Page, 'clock'>; now: number }[] = []
  const watched = watchedClock(clock, async now => {
    await Promise.all(pages.map(attached => follow(attached, now)))
  })
  return {
    ...watched,
    async attach(page) {
      const { now_ms: now } = await clock.set({ mode: 'manual' })
      await page.clock.install({ time: now - leadMs })
      await page.clock.pauseAt(now)
      pages.push({ page, now })
    },
  }
}

async function follow(attached: { page: Pick<Page, 'clock'>; now: number }, now: number): Promise<void> {
  const gap = now - attached.now
  if (gap <= 0) return
  attached.now = now
  await attached.page.clock.fastForward(gap)
}
