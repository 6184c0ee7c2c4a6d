import { askEmulator, proxyHint } from '../../emulator/gateway.ts'
import { parseRate, suggestion } from '../../emulator/words.ts'
import { type ControlCaller, controlCaller, EmulatorError, type Failure, stoppedByFakes } from './call.ts'
import type { ClockChange, FamilyId, List, NewWorld, OperationId, OrText, WorldView } from './types.ts'
import { keyNamed, sendable, type WorldClient, worldClient } from './world.ts'

/** A client of the control API of an emulator on any machine. */
export interface ControlClient {
  /** Its address, without a slash at the end. */
  url: string
  /** The world `default`. */
  world: WorldClient
  /** Opens a world; without an id it gets a free name. Rejects with EmulatorError when it exists already. */
  openWorld(world?: NewWorld): Promise<WorldClient>
  /** A world by name. It opens with the first call that sets something, or the first request with its key; reading it before is a 404. Throws EmulatorError for a name that is not possible. */
  worldNamed(id: string): WorldClient
  /** All open worlds. */
  worlds(): Promise<WorldView[]>
  /** What can go wrong with each operation, as rules of a scenario. */
  failures(filter?: { operation?: OrText<OperationId>; family?: OrText<FamilyId> }): Promise<List<Failure>>
  /** Whether it runs, its version, for how many wall milliseconds, how many worlds are open, and how many files are being rendered or examined, in all worlds. */
  health(): Promise<{ status: string; version: string; uptime_ms: number; worlds: number; rendering: number }>
  /**
   * The key of a world and account; both are `default` when absent. A label makes it another key of that account. Throws EmulatorError
   * for a name that is not possible in a key.
   */
  keyFor(world?: string, account?: string, label?: string): string
  /** Closes the client. An emulator that this process started is stopped. */
  close(): Promise<void>
}

/**
 * A client of the emulator at `url`, such as `http://127.0.0.1:8585`. No request is sent before the first call. `callerAt` gets the
 * address of the control API. Throws EmulatorError when `url` is not an http or https address.
 */
export function controlClient(
  url: string,
  callerAt: (base: string) => ControlCaller = base => processCaller(base),
  close: () => Promise<void> = async () => {},
): ControlClient {
  checkAddress(url)
  const base = url.replace(/\/+$/, '')
  const root = callerAt(`${base}/__emulator`)
  return {
    url: base,
    world: worldClient(root, base, 'default'),
    worldNamed: id => worldClient(root, base, id),
    async openWorld(world = {}) {
      const { id } = await open(root, world)
      return worldClient(root, base, id)
    },
    worlds: async () => (await root.get<List<WorldView>>('/worlds')).items,
    failures: (filter = {}) => root.get('/failures', filter),
    health: () => root.get('/health'),
    keyFor: keyNamed,
    close,
  }
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

async function open(root: ControlCaller, world: NewWorld): Promise<WorldView> {
  checkOptions(world)
  // A misspelt option goes with the others, so that the control API refuses it and names the nearest one.
  const { clock, now, scenarios, ...others } = world
  const moment = now instanceof Date ? now.toISOString() : now
  return await root.send('POST', '/worlds', {
    ...others,
    ...(scenarios && { scenarios: await Promise.all([scenarios].flat().map(sendable)) }),
    clock: { ...clockOf(clock), ...(moment !== undefined && { now: moment }) },
  })
}

/** Plain JavaScript may pass anything. */
function checkOptions(world: unknown): void {
  if (typeof world === 'object' && world !== null && !Array.isArray(world)) return
  throw new EmulatorError(0, {
    code: 'bad_request',
    message: `openWorld takes an object, not ${JSON.stringify(world)}`,
    hint: typeof world === 'string' ? suggestion(JSON.stringify({ id: world })) : 'such as {"id":"mine"}',
  })
}

/** A clock as `POST /worlds` takes it, from a mode, a rate such as `60x`, or both. */
export function clockOf(clock: NewWorld['clock'] | string): ClockChange {
  if (typeof clock === 'number') return { mode: 'realtime', rate: clock }
  if (typeof clock !== 'string') return clock ?? {}
  const rate = parseRate(clock)
  return rate === undefined ? { mode: clock as NonNullable<ClockChange['mode']> } : { mode: 'realtime', rate }
}

/** Calls of the control API at `base` from a process: an emulator of this machine is asked without the proxy of the environment. */
export function processCaller(base: string, headers: Readonly<Record<string, string>> = {}): ControlCaller {
  return controlCaller(base, { by: askEmulator, headers, hint, stopped: stoppedByFakes })
}

function hint(url: string, thrown?: unknown): string | undefined {
  const { code } = ((thrown as { cause?: unknown } | undefined)?.cause ?? {}) as { code?: unknown }
  if (typeof code === 'string' && /CERT|UNABLE_TO_VERIFY/.test(code))
    return `its certificate is not trusted, ${code}: NODE_EXTRA_CA_CERTS names the file of one that is`
  return proxyHint(url)
}
