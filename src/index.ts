import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { Express } from 'express'
import { connectEmulator, type EmulatorClient } from './client/client.ts'
import { asUsageError, readStartOptions, type StartOptions } from './options/start-options.ts'
import { assembleEmulator, assembleInMemory, type Emulator, listen } from './server/emulator.ts'

export type { Assumption } from './assumptions/assumption.ts'
export { EmulatorError } from './client/call.ts'
export { connectEmulator, type EmulatorClient } from './client/client.ts'
export type * from './client/types.ts'
export type { WorldClient } from './client/world.ts'
export type { StartOptions } from './options/start-options.ts'
export { UsageError } from './options/usage-error.ts'
export type { ScenarioDocument, ScenarioRule } from './scenarios/scenario.ts'
export { DataDirectoryError } from './worlds/data/data-directory-error.ts'

/** A running emulator, as tests in code use it. */
export type RunningEmulator = EmulatorClient

/**
 * Starts an emulator on a port of this machine, a free one unless told, and connects to it. Rejects when the port is taken, the
 * data cannot be read (DataDirectoryError), or an option or scenario means nothing (UsageError).
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

/** An Express app, told as what every Node server, supertest and other Express app take. */
export type EmulatorApp = RequestListener

/** The Express app without a socket, for supertest. Its worlds live in memory. Throws UsageError as `startEmulator` rejects. */
export function createEmulator(
  options: Omit<StartOptions, 'dataDir' | 'port' | 'host' | 'tls'> = {},
): EmulatorApp {
  const { dispatch } = inMemory(options)
  // Loaded here and not above: those who only start or connect need not wait for it.
  const express: () => Express = createRequire(import.meta.url)('express')
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response) => dispatch(request, response))
  return app
}

function inMemory(options: StartOptions): Emulator {
  try {
    return assembleInMemory(readStartOptions(options))
  } catch (error) {
    throw asUsageError(error)
  }
}
