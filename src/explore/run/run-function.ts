import { inspect } from 'node:util'
import type { WorldClient } from '../../kits/client.ts'
import { type Exit, type Run, type Subject, watchLimit } from './run.ts'

/** A function that uses the emulator as the user's program does. `signal` is aborted when the limit of the run has passed. */
export type ExploredFunction = (run: { world: WorldClient; signal: AbortSignal }) => unknown

/** A function to explore. When it returns, it has ended with 0. */
export function functionSubject(explored: ExploredFunction): Subject {
  return {
    async run(world, { signal, ...options }) {
      const startedMs = performance.now()
      const stop = new AbortController()
      const both = AbortSignal.any([stop.signal, signal])
      let stopWatch = () => {}
      const limit = new Promise<Exit>(resolve => {
        stopWatch = watchLimit(options, resolve)
      })
      let errors = ''
      const returned = (async (): Promise<Exit> => {
        try {
          await explored({ world, signal: both })
          return { kind: 'ended', code: 0 }
        } catch (error) {
          errors = error instanceof Error ? (error.stack ?? error.message) : inspect(error)
          return thrown(error)
        }
      })()
      const exit = await Promise.race([returned, limit])
      stopWatch()
      if (exit.kind === 'limit') stop.abort(new Error('The limit of this run has passed'))
      const run: Run = { exit, output: errors, errors, ms: Math.round(performance.now() - startedMs) }
      return run
    },
  }
}

/** The class by its constructor: errors of another realm, such as a test's sandbox, have it too. */
function thrown(error: unknown): Exit {
  if (typeof error !== 'object' || error === null) return { kind: 'threw', name: '', message: inspect(error) }
  const { name, message } = error as { name?: unknown; message?: unknown }
  const type = error.constructor?.name
  return {
    kind: 'threw',
    name: type && type !== 'Object' && type !== 'Error' ? type : String(name ?? ''),
    message: typeof message === 'string' ? message : inspect(error),
  }
}
