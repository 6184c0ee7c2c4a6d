import { type ControlClient, controlClient } from '../../kits/client.ts'
import type { Report } from '../report/report.ts'
import type { Explored } from './explore-function.ts'
import type { ExploreOptions } from './options.ts'

/** A client of an emulator on any machine. It only uses the control API. */
export interface EmulatorClient extends ControlClient {
  /** Runs a function, a command or a system undisturbed, then once for each possible failure of each of its calls, and reports problems. Rejects with UsageError for a wrong option, and when the undisturbed run fails. */
  explore(explored: Explored, options?: ExploreOptions): Promise<Report>
}

/**
 * A client of the emulator at `url`, such as `http://127.0.0.1:8585`. No request is sent before the first call. Throws EmulatorError
 * when `url` is not an http or https address.
 */
export function connectEmulator(url: string, close?: () => Promise<void>): EmulatorClient {
  const client = controlClient(url, undefined, close)
  return {
    ...client,
    async explore(explored, options) {
      const { exploreFunction } = await import('./explore-function.ts')
      return exploreFunction(client, explored, options)
    },
  }
}
