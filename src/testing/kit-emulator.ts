import { randomUUID } from 'node:crypto'
import {
  connectEmulator,
  type RunningEmulator,
  type StartOptions,
  startEmulator,
  type WorldClient,
} from '../index.ts'

/** Options of a kit: those of `startEmulator`, or where an emulator runs already. */
export type KitOptions = StartOptions & {
  /** Connects to this one and starts none; `GATEWAY_EMULATOR_URL` says the same for a whole run. */
  url?: string | undefined
}

/** What a world can be given at an emulator that runs already; all else was decided when that one was started. */
const ofWorlds = ['clock', 'now', 'seed', 'scenarios']

/**
 * The emulator that tests share: the one that runs already, else a new one on a free port. Rejects when one that runs already
 * should have been started with other options.
 */
export async function kitEmulator({ url, ...options }: KitOptions): Promise<RunningEmulator> {
  const running = runningAt(url)
  if (!running) return startEmulator({ ...options, clock: options.clock ?? 'auto' })
  const late = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !ofWorlds.includes(name))
    .map(([name]) => name)
  if (late.length > 0)
    throw new Error(
      `The emulator at ${running} runs already and cannot be told ${late.join(', ')}: start it with that, or leave it out. ` +
        `Its worlds can be given ${ofWorlds.join(', ')}.`,
    )
  return connectEmulator(running)
}

function runningAt(url: string | undefined): string | undefined {
  return url ?? process.env.GATEWAY_EMULATOR_URL
}

/**
 * A world for one test, under a name that no other test has: what a test left running cannot reach the next one. Its clock is
 * `auto` unless told, so that an unchanged polling loop ends at once. Its scenarios are those of the emulator; one that runs
 * already does not know the options', so the world brings them.
 */
export function kitWorld(
  emulator: RunningEmulator,
  { clock = 'auto', seed, now, scenarios, url }: KitOptions,
): Promise<WorldClient> {
  const id = `test-${randomUUID().slice(0, 8)}`
  return emulator.openWorld({
    id,
    clock,
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
    ...(scenarios && runningAt(url) && { scenarios }),
  })
}
