import type { Failure } from '../explore/catalogue/failure.ts'
import type { ExploreOptions } from '../explore/options.ts'
import type { Report } from '../explore/report.ts'
import type { Explored } from '../explore/run-function.ts'
import { suggestion } from '../wording/did-you-mean.ts'
import { parseRate } from '../worlds/clock.ts'
import { type ControlCaller, controlCaller, EmulatorError } from './call.ts'
import { keyNamed } from './key-named.ts'
import type { ClockChange, List, NewWorld, WorldView } from './types.ts'
import { type WorldClient, worldClient } from './world.ts'

/** A client of an emulator on any machine. It only uses the control API. */
export interface EmulatorClient {
  /** Its address, without a slash at the end. */
  url: string
  /** The world `default`. */
  world: WorldClient
  /** Opens a world; without an id it gets a free name. Rejects with EmulatorError when it exists already. */
  openWorld(world?: NewWorld): Promise<WorldClient>
  /** A world by name; it opens on first use. */
  worldNamed(id: string): WorldClient
  /** All open worlds. */
  worlds(): Promise<WorldView[]>
  /** Runs a function undisturbed, then once for each possible failure of each of its calls, and reports problems. Rejects with UsageError for a wrong option, and when the undisturbed run fails. */
  explore(explored: Explored, options?: ExploreOptions): Promise<Report>
  /** What can go wrong with each operation, as rules of a scenario. */
  failures(filter?: { operation?: string; family?: string }): Promise<List<Failure>>
  /** Whether it runs, its version, for how many wall milliseconds, how many worlds are open, and how many files are being rendered or examined, in all worlds. */
  health(): Promise<{ status: string; version: string; uptime_ms: number; worlds: number; rendering: number }>
  /** The key of a world and account; both are `default` when absent. Throws EmulatorError for a name that is not possible in a key. */
  keyFor(world?: string, account?: string): string
  /** Closes the client. An emulator that this process started is stopped. */
  close(): Promise<void>
}

/**
 * A client of the emulator at `url`, such as `http://127.0.0.1:8585`. No request is sent before the first call. Throws EmulatorError
 * when `url` is not an http or https address.
 */
export function connectEmulator(url: string, close: () => Promise<void> = async () => {}): EmulatorClient {
  return clientBy(base => controlCaller(base), url, close)
}

/** A client whose calls are sent by `callerAt`, which gets the address of the control API. */
export function clientBy(
  callerAt: (base: string) => ControlCaller,
  url: string,
  close: () => Promise<void> = async () => {},
): EmulatorClient {
  checkAddress(url)
  const base = url.replace(/\/+$/, '')
  const root = callerAt(`${base}/__emulator`)
  const client: EmulatorClient = {
    url: base,
    world: worldClient(root, base, 'default'),
    worldNamed: id => worldClient(root, base, id),
    async openWorld(world = {}) {
      const { id } = await open(root, world)
      return worldClient(root, base, id)
    },
    worlds: async () => (await root.get<List<WorldView>>('/worlds')).items,
    async explore(explored, options) {
      const { exploreFunction } = await import('../explore/explore-function.ts')
      return exploreFunction(client, explored, options)
    },
    failures: (filter = {}) => root.get('/failures', filter),
    health: () => root.get('/health'),
    keyFor: keyNamed,
    close,
  }
  return client
}

function checkAddress(url: unknown): void {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return
  const hint = /^[\w.-]+(:\d+)?$/.test(String(url))
    ? suggestion(`http://${url}`)
    : 'such as http://127.0.0.1:8585'
  throw new EmulatorError(0, {
    code: 'bad_address',
    message: `${JSON.stringify(url)} is not an http or https address`,
    hint,
  })
}

function open(root: ControlCaller, { id, seed, clock, now, scenarios }: NewWorld): Promise<WorldView> {
  const moment = now instanceof Date ? now.toISOString() : now
  return root.send('POST', '/worlds', {
    ...(id !== undefined && { id }),
    ...(seed !== undefined && { seed }),
    clock: { ...clockOf(clock), ...(moment !== undefined && { now: moment }) },
    ...(scenarios && { scenarios }),
  })
}

/** A clock as `POST /worlds` takes it, from a mode, a rate such as `60x`, or both. */
export function clockOf(clock: NewWorld['clock'] | string): ClockChange {
  if (typeof clock === 'number') return { mode: 'realtime', rate: clock }
  if (typeof clock !== 'string') return clock ?? {}
  const rate = parseRate(clock)
  return rate === undefined ? { mode: clock as NonNullable<ClockChange['mode']> } : { mode: 'realtime', rate }
}
