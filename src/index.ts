import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { Express } from 'express'
import { connectEmulator, type EmulatorClient } from './client/client.ts'
import { readStartOptions, type StartOptions } from './options/start-options.ts'
import { assembleEmulator, assembleInMemory, listen } from './server/emulator.ts'

export type { Assumption } from './assumptions/assumption.ts'
export { EmulatorError } from './client/call.ts'
export { connectEmulator, type EmulatorClient } from './client/client.ts'
export type * from './client/types.ts'
export type { WorldClient } from './client/world.ts'
export type { StartOptions } from './options/start-options.ts'
export type { ScenarioDocument, ScenarioRule } from './scenarios/scenario.ts'

/** A running emulator, as tests in code use it. */
export type RunningEmulator = EmulatorClient

/**
 * Starts an emulator on a port of this machine, a free one unless told, and connects to it. Rejects when the port is taken, the
 * data cannot be read, or an option means nothing.
 */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const { url, close } = await listen(await assembleEmulator({ port: 0, ...readStartOptions(options) }))
  return connectEmulator(url, close)
}

/** An Express app, told as what every Node server, supertest and other Express app take. */
export type EmulatorApp = RequestListener

/** The Express app without a socket, for supertest. Its worlds live in memory. */
export function createEmulator(
  options: Omit<StartOptions, 'dataDir' | 'port' | 'host' | 'tls'> = {},
): EmulatorApp {
  const { dispatch } = assembleInMemory(readStartOptions(options))
  // Loaded here and not above: those who only start or connect need not wait for it.
  const express: () => Express = createRequire(import.meta.url)('express')
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response) => dispatch(request, response))
  return app
}
