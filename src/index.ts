import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { Express } from 'express'
import { connectEmulator, type EmulatorClient } from './client/client.ts'
import { asUsageError, readStartOptions, type StartOptions } from './options/start-options.ts'
import { assembleEmulator, assembleInMemory, type Emulator, listen } from './server/emulator.ts'
import { createLoopback } from './server/loopback.ts'

export type { Answer, Assumption, Confirmation, Evidence, Source } from './assumptions/assumption.ts'
export { EmulatorError } from './client/call.ts'
export { connectEmulator, type EmulatorClient } from './client/client.ts'
export type * from './client/types.ts'
export type * from './client/world-client.ts'
export type { Section } from './contract/sections.ts'
export type { Accepted, KnownProblem } from './explore/accept.ts'
export type { Failure, FailureKind } from './explore/catalogue/failure.ts'
export type { ExploreOptions } from './explore/options.ts'
export type { NotTried } from './explore/plan.ts'
export type { Report, ReportData, Row as ReportRow } from './explore/report.ts'
export type { Explored } from './explore/run-function.ts'
export type { Verdict as ExploreVerdict } from './explore/verdict.ts'
export type { StartOptions } from './options/start-options.ts'
export { UsageError } from './options/usage-error.ts'
export type {
  PromptTag,
  ScenarioDocument,
  ScenarioPlan,
  ScenarioRule,
  ScenarioThen,
  ScenarioWhen,
} from './scenarios/scenario.ts'
export type { Log, RequestLine } from './server/log.ts'
export { DataDirectoryError } from './worlds/data/data-directory-error.ts'

/** A running emulator for tests in code. */
export type RunningEmulator = EmulatorClient

/**
 * Starts an emulator on a port of this machine (a free one by default) and connects to it. Rejects when the port is in use, the
 * data cannot be read (DataDirectoryError), or an option or scenario is invalid (UsageError).
 */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const emulator = await assembled(() => assembleEmulator({ port: 0, ...readStartOptions(options) }))
  const { url, close } = await listen(emulator)
  return connectEmulator(url, close)
}

async function assembled(assemble: () => Promise<Emulator>): Promise<Emulator> {
  try {
    return await assemble()
  } catch (error) {
    throw asUsageError(error)
  }
}

/** An Express app, typed as a request listener that Node servers, supertest and other Express apps accept. */
export type EmulatorApp = RequestListener & {
  /** A client of the same worlds, for which the app listens on a free port of the loopback address. It does not keep the process alive. */
  client(): Promise<EmulatorClient>
  /** Ends renders and their processes, and removes temporary files. */
  close(): Promise<void>
}

/**
 * The Express app without a socket, for supertest. Its worlds are in memory. Links in replies use the Host of the request, so with
 * supertest use only the path and query of a link. Throws UsageError when `startEmulator` would reject with it.
 */
export function createEmulator(
  options: Omit<StartOptions, 'dataDir' | 'port' | 'host' | 'tls'> = {},
): EmulatorApp {
  const emulator = inMemory(options)
  // Loaded here and not above, since `startEmulator` and `connectEmulator` do not need it.
  const express: () => Express = createRequire(import.meta.url)('express')
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response) => emulator.dispatch(request, response))
  const loopback = createLoopback(app)
  const close = () => loopback.close().then(() => emulator.close())
  return Object.assign(app, { close, client: async () => connectEmulator(await loopback.url(), close) })
}

function inMemory(options: StartOptions): Emulator {
  try {
    return assembleInMemory(readStartOptions(options))
  } catch (error) {
    throw asUsageError(error)
  }
}
