import type { BrowserContext } from '@playwright/test'
import { leadMs } from './page-clock.ts'

/** A step of a page's clock costs some ms of wall time: its timers may come so much late, ms. */
const leastStepMs = 100
/** So much may the clock of a page be behind that waits for no moment, ms. */
const mostStepMs = 5000

/** Tells of each moment that a page waits for. Timers of the page are those of Playwright's clock, which was installed before. */
const tellTimers = `{
  const { setTimeout, setInterval, requestAnimationFrame, gatewayEmulatorTimer } = window
  const tell = ms => gatewayEmulatorTimer(Date.now() + (Number(ms) || 0))
  window.setTimeout = (act, ms, ...args) => (tell(ms), setTimeout(act, ms, ...args))
  window.setInterval = (act, ms, ...args) => {
    tell(ms)
    return setInterval((...given) => (tell(ms), act(...given)), ms, ...args)
  }
  window.requestAnimationFrame = act => (tell(0), requestAnimationFrame(act))
}`

/** Whether the tests of this process drive a system that is explored in virtual time. */
export function isInRun(): boolean {
  const { GATEWAY_EMULATOR_CASE: played, GATEWAY_EMULATOR_TIED: tied } = process.env
  return played !== undefined && tied === String(process.pid)
}

/**
 * Lets the clocks of the pages follow the time of the run, to which timers and `Date` of this process are tied: it waits for the moments
 * that pages wait for. Returns a function that ends it.
 */
export async function followRun(
  context: Pick<BrowserContext, 'clock' | 'exposeFunction' | 'addInitScript'>,
): Promise<() => void> {
  let pageNow = Date.now()
  let due = Number.POSITIVE_INFINITY
  let state: 'waits' | 'moves' | 'over' = 'waits'
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    clearTimeout(timer)
    const at = Math.max(pageNow + leastStepMs, Math.min(due, pageNow + mostStepMs))
    timer = setTimeout(move, at - Date.now())
  }
  const move = async () => {
    state = 'moves'
    const ms = Date.now() - pageNow
    pageNow += ms
    due = Number.POSITIVE_INFINITY
    // A page that is closed meanwhile waits for nothing.
    await context.clock.runFor(ms).catch(() => {})
    if (state !== 'moves') return
    state = 'waits'
    wait()
  }
  await context.clock.install({ time: pageNow - leadMs })
  await context.clock.pauseAt(pageNow)
  await context.exposeFunction('gatewayEmulatorTimer', (at: number) => {
    due = Math.min(due, at)
    if (state === 'waits') wait()
  })
  await context.addInitScript({ content: tellTimers })
  wait()
  return () => {
    state = 'over'
    clearTimeout(timer)
  }
}
