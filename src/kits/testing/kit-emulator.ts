import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { proxyHint } from '../../emulator/gateway.ts'
import { requestLines, storiesOf, type TaskStory } from '../../explore/explore.ts'
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

/** The world of the case, for a test that explore runs; explore drops it, and tells its stories. */
export function exploredWorld({ worldNamed }: RunningEmulator): WorldClient | undefined {
  const { GATEWAY_EMULATOR_CASE: played, GATEWAY_EMULATOR_WORLD: id } = process.env
  return played !== undefined && id ? worldNamed(id) : undefined
}

/** The stories of a world's newest tasks, oldest first, to print after a failed test. */
export async function storiesAfterTest(world: Pick<WorldClient, 'tasks'>): Promise<TaskStory[]> {
  return storiesOf(world, (await world.tasks.list()).reverse())
}

const lastRequests = 10

/** The last requests of a world. Without any, the number of requests of `default`, since a wrong key uses that world. */
export async function lastRequestsOf(
  world: Pick<WorldClient, 'id' | 'requests' | 'baseUrl'>,
  standard: Pick<WorldClient, 'requests'>,
): Promise<string> {
  const own = await world.requests.list({ limit: lastRequests })
  if (own.length > 0) return `Last requests of world ${world.id}:\n${requestLines(own).join('\n')}`
  const strangers = await standard.requests.list()
  const lines = requestLines(strangers.slice(-lastRequests))
  const absence = `no request reached this world (${world.id}); ${strangers.length} reached default`
  return [absence, proxyHint(world.baseUrl) ?? [], lines].flat().join('\n')
}

/** Where kits write the traces of failed tests, below the folder in which the tests run. */
const usualFolder = 'gateway-traces'

/**
 * Writes the run of a failed test as a page that needs no network, and returns its path. `GATEWAY_EMULATOR_TRACES` names another
 * folder; `off` writes none. Undefined then, and when nothing reached the world. A fault is a sentence in place of the path.
 */
export async function traceAfterTest(
  world: Pick<WorldClient, 'id' | 'requests' | 'trace'>,
  name: string,
): Promise<string | undefined> {
  const folder = process.env.GATEWAY_EMULATOR_TRACES ?? usualFolder
  if (folder === 'off' || (await world.requests.list({ limit: 1 })).length === 0) return undefined
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const path = join(folder, `${words.join('-').slice(0, 80) || 'test'}-${world.id}.html`)
  try {
    await mkdir(folder, { recursive: true })
    await world.trace({ out: path })
    return path
  } catch (error) {
    return `none: ${error instanceof Error ? error.message : error}`
  }
}

/** Where this package lies, as frames name it. */
const own = [new URL('.', import.meta.url).href, fileURLToPath(new URL('.', import.meta.url))]

/** Rejects with an error that has frames of the user's files alone: runners print the source of the first frame. */
export async function withUsersFrames<T>(done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (error) {
    if (error instanceof Error && error.stack !== undefined)
      error.stack = error.stack
        .split('\n')
        .filter(line => !isOwnFrame(line))
        .join('\n')
    throw error
  }
}

function isOwnFrame(line: string): boolean {
  return /^ +at /.test(line) && own.some(folder => line.includes(folder))
}
