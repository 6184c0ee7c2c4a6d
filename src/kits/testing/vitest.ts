import { afterAll, describe, test as plainTest, type TestAPI } from 'vitest'
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

export { expect } from 'vitest'
export type { FakeTimers, WorldClient as TimedWorld, WorldClock as TimedClock } from '../../index.ts'
export type { ExploreTestOptions } from './explored-cases.ts'
export type { KitOptions } from './kit-emulator.ts'

/** The fixtures of the kit, in addition to vitest's context. */
export interface GatewayFixtures {
  /** The test's own world: it does not show what other tests do. */
  world: WorldClient
  /** The emulator that the tests of the file share. */
  emulator: RunningEmulator
}

/**
 * vitest's `test` with a fresh `world` for each test, on an emulator that each file starts once. When a test fails, the stories of its
 * tasks are printed, and its trace is written into the folder `gateway-traces`.
 */
export function testWith(options: KitOptions = {}): TestAPI<GatewayFixtures> {
  let started: Promise<RunningEmulator> | undefined
  afterAll(async () => {
    const emulator = await started
    // Without isolation the next file uses this module too, and starts a new emulator.
    started = undefined
    await emulator?.close()
  })
  return plainTest.extend<GatewayFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed
    emulator: async ({}, use) => {
      started ??= kitEmulator(options)
      await use(await started)
    },
    world: async ({ emulator, onTestFinished }, use) => {
      const explored = exploredWorld(emulator)
      if (explored) return use(explored)
      const world = await kitWorld(emulator, options)
      // vitest runs this after the fixtures are torn down, when the result of the test is known.
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await print(world, emulator, task.name)
        await world.drop()
      })
      await use(world)
    },
  })
}

/** `testWith()`: an emulator with the clock `auto`. */
export const test: TestAPI<GatewayFixtures> = testWith()
/** The same as `test`. */
export const it: TestAPI<GatewayFixtures> = test

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
  describe(name, { concurrent: jobs > 1, timeout: timeoutMs }, () => {
    afterAll(close)
    for (const { title, play } of cases)
      plainTest(title, async ({ skip, annotate }) => {
        const { skipped, warning } = await withUsersFrames(play())
        if (skipped !== undefined) skip(skipped)
        if (warning === undefined) return
        console.warn(warning)
        // Vitest has it from 3.2 on.
        await annotate?.(warning, 'warning')
      })
  })
}

async function print(world: WorldClient, emulator: RunningEmulator, name: string): Promise<void> {
  console.error(await lastRequestsOf(world, emulator.world))
  const trace = await traceAfterTest(world, name)
  if (trace !== undefined) console.error(`Trace of world ${world.id}: ${trace}`)
  const stories = await storiesAfterTest(world)
  if (stories.length > 0)
    console.error(`Tasks of world ${world.id}:\n\n${stories.map(({ text }) => text).join('\n\n')}`)
}
