import { createServer, type Server } from 'node:http'
import type { Certificate } from '../../explore/as.ts'
import {
  checkTemporaryFolder,
  createInputs,
  createLibrary,
  createPrepare,
  createWorkerPool,
  findFfmpeg,
  type WorkerPool,
} from '../../media/index.ts'
import { endRuns } from '../conductor/run-time.ts'
import { selfLinkIn } from '../downloads/open-link.ts'
import { createBodyMemory } from '../http/body.ts'
import { listenError } from '../http/direct.ts'
import { hostInUrl, type KnownNames } from '../http/origin.ts'
import { asUsageError, type EmulatorOptions } from '../options/config.ts'
import { type Log, logOf } from '../options/log.ts'
import { type Options, standardOptions } from '../options/table.ts'
import type { Services } from '../pipeline/endpoint.ts'
import {
  isShipped,
  keepScenarios,
  offerScenarios,
  readKeptScenarios,
  readScenarios,
} from '../scenarios/known-scenarios.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { realTime } from '../worlds/clock.ts'
import { openDirectory, openMemory } from '../worlds/database.ts'
import { pause } from '../worlds/wait.ts'
import type { WorldDatabase, WorldValues } from '../worlds/world.ts'
import { createWorlds } from '../worlds/worlds.ts'
import { createApp, type Dispatch } from './app.ts'
import { closeInTime } from './closing.ts'
import { openPort } from './open-port.ts'
import { type Outlet, RequestLog, requestLine, standardOutput } from './request-log.ts'

/** The parts of one emulator, without a socket. */
export interface Emulator {
  services: Services
  dispatch: Dispatch
  close(): Promise<void>
}

/** What an emulator is made of: its options, the pool that renders for it, a pool of its own when absent, and where lines of requests go. */
interface Assembly extends EmulatorOptions {
  pool?: WorkerPool
  requestLines?: Outlet
}

/** A listening emulator. */
export interface Listening {
  emulator: Emulator
  server: Server
  url: string
  /** Ends within two seconds: running requests get a short time, renders are stopped, and parts that do not end are not waited for. */
  close(): Promise<void>
}

const filesCloseMs = 300

/** Worlds in memory only, so this is synchronous. Throws UsageError for a wrong scenario. */
export function assembleInMemory(given: Assembly = {}): Emulator {
  try {
    return assemble(given, openMemory<WorldValues>())
  } catch (error) {
    throw asUsageError(error)
  }
}

/** Worlds in `data` when that is set, else in memory. Rejects with UsageError for a wrong scenario. */
export async function assembleEmulator(given: Assembly = {}): Promise<Emulator> {
  if (given.data === undefined) {
    if (given.fsync)
      loggerOf(given).info(
        { warning: 'fsync' },
        'fsync has no effect without data: worlds are in memory only',
      )
    return assembleInMemory(given)
  }
  return assembleWithData({ ...given, data: given.data }).catch(error => {
    throw asUsageError(error)
  })
}

async function assembleWithData(given: Assembly & { data: string }): Promise<Emulator> {
  const { recordRules } = await import('../control/state/record-fault.ts')
  const scenarios = readScenarios(given.scenarios ?? [])
  const names = new Set(scenarios.map(entry => (typeof entry === 'string' ? entry : entry.name)))
  const kept = readKeptScenarios(given.data)
  const ofEarlier = kept.filter(({ name }) => !names.has(name))
  const isKnown = (name: string) =>
    names.has(name) || ofEarlier.some(one => one.name === name) || isShipped(name)
  const warn = (message: string) => loggerOf(given).info({ warning: 'data' }, message)
  const { data: dir, fsync = false } = given
  const database = await openDirectory<WorldValues>({ dir, fsync, warn, rules: recordRules(isKnown) })
  try {
    const documents = [...ofEarlier, ...scenarios.filter(entry => typeof entry !== 'string')]
    if (JSON.stringify(documents) !== JSON.stringify(kept)) await keepScenarios(dir, documents)
    offerScenarios(database, ofEarlier)
    for (const line of warningsAboutKeptScenarios(database, ofEarlier)) warn(line)
    return assemble({ ...given, scenarios }, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** What to say of scenarios that still act, although their files were not given at this start. */
function warningsAboutKeptScenarios(
  { data }: WorldDatabase,
  documents: readonly ScenarioDocument[],
): string[] {
  return documents.flatMap(({ name }) => {
    const worlds = [...data.worlds].filter(([, { head }]) =>
      head.get('')?.active.some(one => one.name === name),
    )
    const ids = worlds.map(([id]) => id).join(', ')
    return ids === ''
      ? []
      : [`The scenario "${name}" is still active in ${ids}, as its file was when it was last given`]
  })
}

function loggerOf({ logger, log = standardOptions.log }: EmulatorOptions): Log {
  return logger ?? logOf(log)
}

/** Where requests are logged; undefined when they are not. */
function requestLogOf(given: Assembly): Pick<RequestLog, 'add' | 'close'> | undefined {
  const { logger, log = standardOptions.log, requestLog = false, requestLines = standardOutput } = given
  if (logger)
    return {
      add: (world, entry) => logger.request?.(requestLine({ world, entry, wallMs: realTime.wallNow() })),
      close() {},
    }
  return requestLog && log !== 'silent' ? new RequestLog(log, requestLines) : undefined
}

function assemble(given: Assembly, database: WorldDatabase): Emulator {
  const { logger: _logger, requestLines: _lines, pool = createWorkerPool(), scenarios = [], ...rest } = given
  const options: Options = { ...standardOptions, ...rest, scenarios: offerScenarios(database, scenarios) }
  if (options.data === undefined) checkTemporaryFolder(', or keep files with --data DIR')
  const library = createLibrary({
    maxBytes: options.mediaCacheBytes,
    ...(options.data !== undefined && { dir: options.data }),
    pool,
    findFfmpeg: () => findFfmpeg(options.ffmpegPath),
  })
  const inputs = createInputs({
    policy: options.inputs,
    keep: library.keep,
    prepare: createPrepare(library),
  })
  const requestLog = requestLogOf(given)
  const services: Services = {
    options,
    worlds: createWorlds(options, database),
    library,
    inputs,
    selfLink: selfLinkIn,
    bodies: createBodyMemory(),
    database,
    log: loggerOf(given),
    logRequest: requestLog && ((world, entry) => requestLog.add(world, entry)),
  }
  return {
    services,
    dispatch: createApp(services),
    async close() {
      endRuns(services)
      const ended = Promise.allSettled([inputs.close(), library.close()])
      // Requests that lose their files now end at once. Data does not wait for files, since files can be rendered again.
      await Promise.race([ended, pause(filesCloseMs)])
      await database.close()
      await ended
      requestLog?.close()
    },
  }
}

/** Listens on the options' host and port. When that fails, closes the emulator and rejects with an error that says what to do. */
export async function listen(emulator: Emulator): Promise<Listening> {
  try {
    return await listening(emulator)
  } catch (error) {
    await emulator.close()
    throw await listenError(error, emulator.services.options)
  }
}

async function listening(emulator: Emulator): Promise<Listening> {
  const { dispatch, services } = emulator
  const { options, log } = services
  const certificate = options.tls === undefined ? undefined : await certificateFor(options.tls, options)
  const server = certificate ? await secureServer(certificate, dispatch) : createServer(dispatch)
  // Slow and half-open clients must not keep connections open for ever.
  server.requestTimeout = 120_000
  server.headersTimeout = 20_000
  server.keepAliveTimeout = 65_000
  const { port, door, hasLoopbackNames, isTwinTaken } = await openPort(server, options, certificate?.cert)
  if (isTwinTaken) {
    const line = `The port ${port} of ::1 is taken by another program, which a client may reach by the name localhost`
    log.info({ warning: 'localhost' }, line)
  }
  Object.assign(options, { port, hasLoopbackNames })
  const url = `${options.tls ? 'https' : 'http'}://${hostInUrl(options.host)}:${port}`
  const close = async () => {
    // A server waits for connections that it has given away.
    endRuns(services)
    await closeInTime(door, emulator)
  }
  return { emulator, server, url, close }
}

async function certificateFor(mode: string, names: KnownNames): Promise<Certificate> {
  const { certificateOf } = await import('./tls.ts')
  return await certificateOf(mode, names)
}

async function secureServer(certificate: Certificate, dispatch: Dispatch): Promise<Server> {
  const { createServer: createSecure } = await import('node:https')
  return createSecure(certificate, dispatch)
}
