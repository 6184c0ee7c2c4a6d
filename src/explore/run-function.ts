import { inspect } from 'node:util'
import type { WorldClient } from '../client/world.ts'
import type { End, Subject } from './run.ts'

/** A function that uses the emulator as the user's program does. `signal` is aborted when the limit of the run has passed. */
export type Explored = (run: { world: WorldClient; signal: AbortSignal }) => unknown

/** A function to explore. When it returns, it has ended with 0. When it throws, it is `told`, or `crashed` for an error of the language. */
export function functionSubject(explored: Explored): Subject {
  return {
    async run(world, { limitMs, signal }) {
      const startedMs = performance.now()
      const stop = new AbortController()
      const both = AbortSignal.any([stop.signal, signal])
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<Ended>(resolve => {
        timer = setTimeout(() => resolve({ end: { kind: 'limit', ms: limitMs }, output: '' }), limitMs)
      })
      const { end, output } = await Promise.race([ended(explored, { world, signal: both }), limit])
      clearTimeout(timer)
      if (end.kind === 'limit') stop.abort(new Error('The limit of this run has passed'))
      return { end, output, ms: Math.round(performance.now() - startedMs) }
    },
  }
}

interface Ended {
  end: End
  output: string
}

/** Errors that the engine throws for a mistake in the program. */
const ofTheLanguage = [TypeError, ReferenceError, RangeError]

async function ended(explored: Explored, run: { world: WorldClient; signal: AbortSignal }): Promise<Ended> {
  try {
    await explored(run)
    return { end: { kind: 'ended', code: 0 }, output: '' }
  } catch (error) {
    const output = error instanceof Error ? (error.stack ?? error.message) : inspect(error)
    if (!isOfTheLanguage(error))
      return { end: { kind: 'ended', code: 1 }, output: `${output}\n${messageOf(error)}` }
    return { end: { kind: 'crashed', line: messageOf(error) }, output }
  }
}

/** By class, and by name for errors of another realm, such as a test's sandbox. */
function isOfTheLanguage(error: unknown): error is Error {
  const name =
    error instanceof Error || (typeof error === 'object' && error !== null) ? error.constructor?.name : ''
  return ofTheLanguage.some(type => error instanceof type || name === type.name)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
}
