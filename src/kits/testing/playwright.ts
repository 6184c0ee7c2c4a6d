import { type BrowserContext, test as plainTest, type TestInfo } from '@playwright/test'
import type { Explored } from '../../explore/explore.ts'
import type { RunningEmulator, WorldClient } from '../../index.ts'
import { type ExploreTestOptions, exploredCases } from './explored-cases.ts'
import {
  exploredWorld,
  type KitOptions,
  kitEmulator,
  kitWorld,
  lastRequestsOf,
  storiesAfterTest,
  traceAfterTest,
  withUsersFrames,
} from './kit-emulator.ts'
import { leadMs, type PageClock, pageClock } from './page-clock.ts'

export { expect } from '@playwright/test'
export type { ExploreTestOptions } from './explored-cases.ts'
export type { KitOptions } from './kit-emulator.ts'
export type { PageClock } from './page-clock.ts'

/** A world whose clock can also move a page's clock. */
export type PageWorld = Omit<WorldClient, 'clock'> & { clock: PageClock }

/** The fixtures of the kit, in addition to Playwright's. */
export interface GatewayFixtures {
  /** The test's own world: it does not show what other tests do. */
  world: PageWorld
}

/** The fixtures that the tests of a worker share. */
export interface GatewayWorkerFixtures {
  /** The emulator that the tests of a worker share. */
  emulator: RunningEmulator
  /** Set it under `use` in the configuration, or with `test.use` at the top of a file. */
  emulatorOptions: KitOptions
}

/**
 * Playwright's `test` with a fresh `world` for each test, on an emulator that each worker starts once. When a test fails, the stories of
 * its tasks are printed and attached to the report.
 */
export const test = plainTest.extend<GatewayFixtures, GatewayWorkerFixtures>({
  emulatorOptions: [{}, { scope: 'worker', option: true }],
  emulator: [
    async ({ emulatorOptions }, use) => {
      const emulator = await kitEmulator(emulatorOptions)
      await use(emulator)
      await emulator.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ context }, use) => {
    const leave = isInRun() ? await followRun(context) : undefined
    await use(context)
    leave?.()
  },
  world: async ({ emulator, emulatorOptions }, use, info) => {
    const explored = exploredWorld(emulator)
    if (explored) return use({ ...explored, clock: pageClock(explored.clock) })
    const world = await kitWorld(emulator, emulatorOptions)
    await use({ ...world, clock: pageClock(world.clock) })
    if (info.status !== info.expectedStatus) await report(world, { info, emulator })
    await world.drop()
  },
})

/**
 * Runs a function, a command or a system undisturbed, then declares one test for each possible failure of each of its calls, in a describe block.
 * A test fails when it handles the failure badly, and prints the story of that case; a warning is printed under its test. What is not tried is a test that is
 * skipped with the reason. Await it at the top of a test file.
 */
export async function exploreTests(
  name: string,
  explored: Explored,
  options: ExploreTestOptions = {},
): Promise<void> {
  const { cases, jobs, timeoutMs, close } = await withUsersFrames(exploredCases(explored, options))
  plainTest.describe(name, () => {
    if (jobs > 1) plainTest.describe.configure({ mode: 'parallel' })
    plainTest.afterAll(close)
    for (const { title, play } of cases)
      plainTest(title, async () => {
        plainTest.setTimeout(timeoutMs)
        const { skipped, warning } = await withUsersFrames(play())
        if (skipped !== undefined) plainTest.skip(true, skipped)
        if (warning === undefined) return
        console.warn(warning)
        plainTest.info().annotations.push({ type: 'warning', description: warning })
      })
  })
}

async function report(
  world: WorldClient,
  { info, emulator }: { info: TestInfo; emulator: RunningEmulator },
): Promise<void> {
  console.error(await lastRequestsOf(world, emulator.world))
  const path = await traceAfterTest(world, info.title)
  if (path !== undefined) {
    console.error(`Trace of world ${world.id}: ${path}`)
    if (path.endsWith('.html')) await info.attach('trace of the world', { path, contentType: 'text/html' })
  }
  for (const { id, text } of await storiesAfterTest(world)) {
    console.error(text)
    await info.attach(`story of ${id}`, { body: text, contentType: 'text/plain' })
  }
}

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
function isInRun(): boolean {
  const { GATEWAY_EMULATOR_CASE: played, GATEWAY_EMULATOR_TIED: tied } = process.env
  return played !== undefined && tied === String(process.pid)
}

/**
 * Lets the clocks of the pages follow the time of the run, to which timers and `Date` of this process are tied: it waits for the moments
 * that pages wait for. Returns a function that ends it.
 */
async function followRun(
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
