import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { describe, expect, it } from 'vitest'
import { explore } from '../../src/explore/play/explore.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import type { Subject } from '../../src/explore/run/run.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { findPython } from '../support/python.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

const example = (name: string) =>
  fileURLToPath(new URL(`../../docs/examples/explore/${name}`, import.meta.url))

/** Two seconds is the client's default. A task made after a Retry-After has another file, which is rendered first. */
const environment = { POLL_MS: '5', ANSWER_MS: '2000' }

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
 * start than most runs last. An error outside its main promise fails the test, and so does a script that does not end.
 */
function scriptSubject(file: string): Subject {
  const script = new AsyncFunction('process', 'console', readFileSync(file, 'utf8'))
  return {
    async run({ baseUrl, apiKey, id }) {
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
      const thrown: Error | undefined = await script(own, { log: print, error: print }).catch(error => error)
      const errors = thrown ? `/script.mjs:1\n  throw error\n  ^\n\n${thrown.stack}\n\nNode.js v20` : ''
      const exit = { kind: 'ended' as const, code: thrown ? 1 : (own.exitCode ?? 0) }
      return { exit, output: output + errors, errors, ms: 1 }
    },
  }
}

const node = scriptSubject(example('sturdy-client.mjs'))
const python = commandSubject({
  program: await findPython(),
  // It needs the standard library alone: without its other packages Python starts in a third of the time.
  args: ['-S', example('sturdy_client.py')],
  env: [],
  inherited: { ...process.env, ...environment },
})

/** Each failure at least once: a Python process takes long to start. */
const eachOnce = [
  'a.create',
  'media.download',
  'a.list#1 unavailable',
  'a.get#1 unavailable',
  'a.get#1 reply_cut',
  'a.get#1 no_answer',
  'a.get#1 not_found',
]

describe('explore finds no problem in a client that handles every failure', () => {
  it.each([
    ['Node, with every failure at every call', node, [], 50],
    ['Python, with every failure', python, eachOnce, 30],
  ])('in %s', async (_, subject, only, atLeast) => {
    const settings = exploreSettings({ limit: '30s', only, jobs: 4 }, '2026-01-01T00:00:00Z')
    const { cases, problems } = await explore({ emulator, subject, settings })
    expect(
      problems.map(({ operation, id, verdict, evidence }) => ({ operation, id, verdict, evidence })),
    ).toEqual([])
    expect(cases.filter(({ verdict }) => verdict === 'rude')).toEqual([])
    expect(cases.length).toBeGreaterThan(atLeast)
  })
})
