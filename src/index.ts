import express, { type Express } from 'express'
import { assembleEmulator, assembleInMemory, type EmulatorOptions, listen } from './emulator.ts'
import { keyOf } from './http/account.ts'
import { createSite } from './site.ts'

export type { EmulatorOptions } from './emulator.ts'
export type { ScenarioDocument, ScenarioRule } from './scenarios/scenario.ts'

/** A running emulator, as tests in code use it. */
export interface RunningEmulator {
  url: string
  /** The key of a world and account, `default` where not told. */
  keyFor(world?: string, account?: string): string
  close(): Promise<void>
}

/** Starts an emulator on a port of this machine (a free one unless told). Rejects when the port is taken or the data cannot be read. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const listening = await listen(await assembleEmulator({ port: 0, ...options }))
  return {
    url: listening.url,
    keyFor: (world = 'default', account = 'default') => keyOf(world, account),
    close: listening.close,
  }
}

/** The Express app without a socket, for supertest. Its worlds live in memory. */
export function createEmulator(
  options: Omit<EmulatorOptions, 'data' | 'port' | 'host' | 'tls'> = {},
): Express {
  const { dispatch, services } = assembleInMemory(options)
  const app = express()
  app.disable('x-powered-by')
  app.use(dispatch)
  app.use(createSite(services))
  return app
}
