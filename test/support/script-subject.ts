import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { format } from 'node:util'
import type { Exit, Subject } from '../../src/explore/run/run.ts'

/** What a script uses of Node beside the global functions. */
interface Surroundings {
  env: Record<string, string>
  pid: number
  exitCode?: number
}

type Script = (process: Surroundings, console: Record<'log' | 'error', typeof format>) => Promise<void>

const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Script

/**
 * A Node program without imports to explore. It is run here, with a `process` and a `console` of its own: a thread would take longer to
 * start than most runs last. An error outside its main promise fails the test.
 */
export function scriptSubject(file: string, environment: Record<string, string> = {}): Subject {
  const script = new AsyncFunction('process', 'console', readFileSync(file, 'utf8'))
  return {
    async run({ baseUrl, apiKey, id }, { limitMs }) {
      const startedMs = performance.now()
      const own: Surroundings = {
        env: {
          ...environment,
          GATEWAY_EMULATOR_URL: baseUrl,
          GATEWAY_EMULATOR_KEY: apiKey,
          GATEWAY_EMULATOR_WORLD: id,
        },
        pid: process.pid,
      }
      let output = ''
      const print: typeof format = (...words) => {
        output += `${format(...words)}\n`
        return ''
      }
      const isOver = new AbortController()
      let errors = ''
      const exit = await Promise.race([
        script(own, { log: print, error: print }).then(
          () => endedWith(own.exitCode ?? 0),
          error => {
            errors = printedByNode(error)
            return endedWith(1)
          },
        ),
        limitAfter(limitMs, isOver.signal),
      ])
      isOver.abort()
      return { exit, output: output + errors, errors, ms: Math.round(performance.now() - startedMs) }
    },
  }
}

function endedWith(code: number): Exit {
  return { kind: 'ended', code }
}

/** What Node prints for an error that the script threw. */
function printedByNode(error: Error): string {
  return `/script.mjs:1\n  throw error\n  ^\n\n${error.stack}\n\nNode.js v20`
}

async function limitAfter(limitMs: number, signal: AbortSignal): Promise<Exit> {
  await after(limitMs, undefined, { signal }).catch(() => undefined)
  return { kind: 'limit', ms: limitMs }
}
