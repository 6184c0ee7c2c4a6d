import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { selfLinkIn } from '../downloads/self-links.ts'
import { hostInUrl } from '../http/base-url.ts'
import { createBodyMemory } from '../http/large-bodies.ts'
import { createPrepare } from '../media/inputs/prepare-input.ts'
import { createInputs } from '../media/inputs.ts'
import { createLibrary } from '../media/library.ts'
import { findFfmpeg } from '../media/tools.ts'
import { createWorkerPool } from '../media/workers/pool.ts'
import { type Options, standardOptions } from '../options/config.ts'
import { offerScenarios } from '../scenarios/catalog.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { openDirectory, openMemory } from '../worlds/database.ts'
import { pause } from '../worlds/wait.ts'
import type { WorldDatabase, WorldValues } from '../worlds/world.ts'
import { createWorlds } from '../worlds/worlds.ts'
import { createApp, type Dispatch } from './app.ts'
import { closeInTime } from './closing.ts'
import { listenError } from './listen-error.ts'
import { type Log, logOf } from './log.ts'
import { requestWriter } from './request-log.ts'
import type { Services } from './services.ts'

/** Options for `startEmulator` in code: any subset; scenarios may be documents. */
export type EmulatorOptions = Partial<Omit<Options, 'scenarios'>> & {
  scenarios?: readonly (string | ScenarioDocument)[]
  logger?: Log
}

/** The parts of one emulator, without a socket. */
export interface Emulator {
  services: Services
  dispatch: Dispatch
  close(): Promise<void>
}

/** A listening emulator. */
export interface Listening {
  emulator: Emulator
  server: Server
  url: string
  /** Ends within two seconds: running requests get a short time, renders are stopped, and parts that do not end are not waited for. */
  close(): Promise<void>
}

const lastWordsMs = 300

/** Worlds in memory only, so this is synchronous. */
export function assembleInMemory(given: EmulatorOptions = {}): Emulator {
  return assemble(given, openMemory<WorldValues>())
}

/** Worlds in `data` when that is set, else in memory. */
export async function assembleEmulator(given: EmulatorOptions = {}): Promise<Emulator> {
  if (given.data === undefined) return assembleInMemory(given)
  const database = await openDirectory<WorldValues>({
    dir: given.data,
    fsync: given.fsync ?? false,
    warn: message => loggerOf(given).info({ warning: 'data' }, message),
    prepareCheck: async () => (await import('../control/state/record-check.ts')).recordCheck(),
  })
  try {
    return assemble(given, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

function loggerOf({ logger, log = standardOptions.log, requestLog = false }: EmulatorOptions): Log {
  if (logger) return logger
  return { ...logOf(log), ...(requestLog && log !== 'silent' && { request: requestWriter(log) }) }
}

function assemble(given: EmulatorOptions, database: WorldDatabase): Emulator {
  const { logger: _logger, scenarios = [], ...rest } = given
  const options: Options = { ...standardOptions, ...rest, scenarios: offerScenarios(database, scenarios) }
  const library = createLibrary({
    maxBytes: options.mediaCacheBytes,
    ...(options.data !== undefined && { dir: options.data }),
    pool: createWorkerPool(),
    findFfmpeg: () => findFfmpeg(options.ffmpegPath),
  })
  const inputs = createInputs({
    policy: options.inputs,
    keep: library.keep,
    prepare: createPrepare(library),
  })
  const services: Services = {
    options,
    worlds: createWorlds(options, database),
    library,
    inputs,
    selfLink: selfLinkIn,
    bodies: createBodyMemory(),
    database,
    log: loggerOf(given),
  }
  return {
    services,
    dispatch: createApp(services),
    async close() {
      const ended = Promise.allSettled([inputs.close(), library.close()])
      // Requests that lose their files now end at once. Data does not wait for files, since files can be rendered again.
      await Promise.race([ended, pause(lastWordsMs)])
      await database.close()
      await ended
    },
  }
}

/** Listens on the options' host and port. When that fails, closes the emulator and rejects with an error that says what to do. */
export async function listen(emulator: Emulator): Promise<Listening> {
  try {
    return await listening(emulator)
  } catch (error) {
    await emulator.close()
    throw listenError(error, emulator.services.options)
  }
}

async function listening(emulator: Emulator): Promise<Listening> {
  const { dispatch, services } = emulator
  const { options } = services
  const server = options.tls ? await secureServer(options.tls, dispatch) : createServer(dispatch)
  // Slow and half-open clients must not keep connections open for ever.
  server.requestTimeout = 120_000
  server.headersTimeout = 20_000
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  Object.assign(options, { port })
  const url = `${options.tls ? 'https' : 'http'}://${hostInUrl(options.host)}:${port}`
  return { emulator, server, url, close: async () => void (await closeInTime(server, emulator)) }
}

async function secureServer(mode: string, dispatch: Dispatch): Promise<Server> {
  const [{ createServer: createSecure }, { certificateOf }] = await Promise.all([
    import('node:https'),
    import('./tls.ts'),
  ])
  return createSecure(await certificateOf(mode), dispatch)
}
