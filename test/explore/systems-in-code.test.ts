import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ExploreOptions } from '../../src/index.ts'
import { exploredCases } from '../../src/kits/testing/explored-cases.ts'
import { exploreTests } from '../../src/kits/testing/vitest.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })
const { written } = writtenFiles('listing-system-')

/** A web service that lists tasks for each request, and refuses as it is refused. Its key and address are those of `--env`. */
written(
  'web.mjs',
  `import { createServer } from 'node:http'
const { LIST_URL, LIST_KEY } = process.env
createServer(async (request, response) => {
  const reply = await fetch(LIST_URL, { headers: { Authorization: 'Bearer ' + LIST_KEY } }).catch(() => undefined)
  response.writeHead(reply?.status ?? 502).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
)
/** Needs what was prepared. A service that is away is asked once more after a second. */
written(
  'drive.mjs',
  `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
readFileSync(join(process.env.GATEWAY_EMULATOR_STATE, 'prepared'))
const ask = () => fetch(process.env.WEB_URL)
const reply = await ask().catch(() => new Promise(resolve => setTimeout(resolve, 1000)).then(ask))
if (reply.ok) process.exit()
console.error('the page shows', reply.status)
process.exit(1)
`,
)
const log = written('prepared.log', '')
written(
  'prepare.mjs',
  `import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
writeFileSync(join(process.env.GATEWAY_EMULATOR_STATE, 'prepared'), '')
appendFileSync(process.argv[2], process.env.GATEWAY_EMULATOR_STATE + '\\n')
`,
)

/** Its service needs `env` besides. */
const system = written(
  'system.yaml',
  `services:
  web:
    command: node web.mjs
    environment: { PORT: "{port.web}" }
    ready: tcp
prepare: node prepare.mjs ${log}
driver: { command: node drive.mjs, environment: { WEB_URL: "http://127.0.0.1:{port.web}" } }
`,
)
const env = { LIST_URL: '{url}/api/v3/contents/generations/tasks', LIST_KEY: '{key}' }
/** The folders that were prepared. */
const prepared = () => readFileSync(log, 'utf8').split('\n').slice(0, -1)
const explore = (options: ExploreOptions) => emulator.explore({ system, env }, options)

describe('a system is explored in code (docs/explore.md, "A system of services")', () => {
  it('its rows name the service that called, and its time is virtual', async () => {
    const { cases, time } = await explore({ only: ['a.list unavailable'] })
    expect(cases).toMatchObject([
      {
        id: 'unavailable',
        service: 'web',
        verdict: 'told',
        log: expect.stringContaining('the page shows 503'),
      },
    ])
    expect(time.used).toBe('virtual')
  })

  it('`kill` kills a service where it called', async () => {
    const { restarts } = await explore({ kill: 'web', restartAfter: 500, only: ['a.list killed_after'] })
    expect(restarts).toMatchObject([
      { id: 'killed_after', service: 'web', lives: [{ exit: 'SIGKILL' }, { exit: 0 }] },
    ])
  })

  it('`scale` runs several of a service, and the report says which command plays a case again', async () => {
    const { services, replay, command } = await explore({
      scale: { web: 2 },
      limit: '20s',
      only: ['a.list unavailable'],
    })
    expect(services).toEqual(['web-1', 'web-2'])
    expect(command).toBeUndefined()
    expect(replay).toBe(
      `--system ${system} --scale web=2 --env 'LIST_URL=${env.LIST_URL}' --env 'LIST_KEY={key}' --limit 20000ms`,
    )
  })
})

describe('each case of a system is a test of the kits (docs/explore.md, "In code")', () => {
  it('whose system is prepared anew when the first of them is played, and gone when they have ended', async () => {
    const { url } = emulator
    const before = prepared().length
    const { cases, close } = await exploredCases({ system, env }, { url, only: ['a.list unavailable'] })
    const [first = '', ...none] = prepared().slice(before)
    expect([none, existsSync(first)]).toEqual([[], false])
    expect([await cases[0]?.play(), await cases[0]?.play()]).toEqual([{}, {}])
    const [second = '', ...more] = prepared().slice(before + 1)
    expect([more, existsSync(second)]).toEqual([[], true])
    await close()
    expect(existsSync(second)).toBe(false)
  })
})

await exploreTests(
  'a system',
  { system, env },
  { url: emulator.url, only: ['a.list unavailable', 'a.list#1 reply_lost'] },
)

describe('what cannot be explored is refused with what is allowed', () => {
  const command: [string] = ['node']
  const system = 'system.yaml'
  it.each<[string, unknown, ExploreOptions, string]>([
    ['neither', {}, {}, 'Neither a function, a command nor a system is to be explored: give a function, {'],
    ['both', { command, system }, {}, 'the file of a system names its driver; give one of them'],
    ['a wrong word', { sytem: system }, {}, 'Nothing to explore has sytem; did you mean system?'],
    ['state of a system', { system, state: 'x' }, {}, 'state: is for a single command'],
    ['no path', { system: ['x'] }, {}, 'system: ["x"] is not the path of a file'],
    ['no list', { command: 'node x' }, {}, 'command: "node x" is not a list of words'],
    ['kill of a command', { command }, { kill: 'web' }, 'kill: only a system has services'],
    ['scale of a function', () => {}, { scale: { web: 2 } }, 'scale: only a system has services'],
    ['restartAfter of a command', { command }, { restartAfter: 1 }, 'restartAfter: only a system'],
  ])('%s', async (_, explored, options, message) => {
    await expect(emulator.explore(explored as () => void, options)).rejects.toThrow(message)
  })

  it.each<[ExploreOptions, string]>([
    [{ scale: { web: 0 } }, 'scale: "0" of "web=0" is not an integer from 1 to 20'],
    [{ scale: { wep: 2 } }, 'scale: wep is no service; did you mean web?'],
    [{ kill: 'redis' }, 'kill: redis is no service; they are web'],
  ])('%j', async (options, message) => {
    await expect(explore(options)).rejects.toThrow(message)
  })

  it('a system whose file is not there', async () => {
    const missing = emulator.explore({ system: 'no-such.yaml' })
    await expect(missing).rejects.toThrow('no-such.yaml')
  })
})
