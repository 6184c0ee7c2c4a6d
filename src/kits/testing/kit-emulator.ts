import { randomUUID } from 'node:crypto'
import {
  connectEmulator,
  type RunningEmulator,
  type StartOptions,
  startEmulator,
  type WorldClient,
} from '../../index.ts'

/** Options of a kit: those of `startEmulator`, or the address of a running emulator. */
export type KitOptions = StartOptions & {
  /** Connects to this emulator and does not start one; `GATEWAY_EMULATOR_URL` does the same for a whole run. */
  url?: string | undefined
}

/** The options of a world on a running emulator; the other options were decided when that emulator started. */
const ofWorlds = ['clock', 'now', 'seed', 'scenarios']

/**
 * The emulator that tests share: a running one, else a new one on a free port. Rejects when a running one
 * would need other options.
 */
export async function kitEmulator({ url, ...options }: KitOptions): Promise<RunningEmulator> {
  const running = runningAt(url)
  if (!running) return startEmulator({ ...options, clock: options.clock ?? 'auto' })
  const late = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !ofWorlds.includes(name))
    .map(([name]) => name)
  if (late.length > 0)
    throw new Error(
      `The emulator at ${running} already runs and cannot take the options ${late.join(', ')}: start it with them, or leave them out. ` +
        `Its worlds can be given ${ofWorlds.join(', ')}.`,
    )
  return connectEmulator(running)
}

function runningAt(url: string | undefined): string | undefined {
  return url ?? process.env.GATEWAY_EMULATOR_URL
}

/**
 * A world for one test, with a unique name, so that code that a test left running cannot affect the next test. Its clock is
 * `auto` by default, so that an unchanged polling loop ends at once. Its scenarios are those of the emulator. A running emulator
 * does not know the scenarios of the options, so the world gets them.
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
