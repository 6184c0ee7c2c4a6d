import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { longestWaitMs } from '../../src/explore/system/redis-time.ts'
import { runCommand } from '../support/emulator-process.ts'
import { reportOf } from '../support/explore-runs.ts'
import { withoutRedis } from '../support/redis.ts'
import { writtenFiles } from '../support/written-files.ts'

const { written } = writtenFiles('explore-redis-time-')

const ioredis = pathToFileURL(createRequire(import.meta.url).resolve('ioredis')).href

/** Says with 1 what is not as it should be. */
const driver = written(
  'drive.mjs',
  `import { Redis } from ${JSON.stringify(ioredis)}
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, REDIS_PORT: port } = process.env
const [redis, other] = [new Redis(port), new Redis(port, { db: 3 })]
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
const wrong = []
const see = async (what, is, expected) => { if (is !== expected) wrong.push(what + ': ' + is) }
const list = () => fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
const reply = await list()
await redis.set('lease', 'a', 'PX', 60_000)
await other.set('lease', 'b', 'EX', 3600)
await redis.set('kept', 'c')
await pause(50_000)
await see('after 50 s', await redis.get('lease'), 'a')
await pause(11_000)
await see('after 61 s', await redis.get('lease'), null)
await see('of another database', await other.get('lease'), 'b')
await pause(3_600_000)
await see('of another database, later', await other.get('lease'), null)
await see('without a limit', await redis.get('kept'), 'c')
const began = Date.now()
await see('nothing comes', await redis.blpop('queue', 30), null)
const waited = Date.now() - began
if (waited < 30_000 || waited > 31_000) wrong.push('waited ' + waited)
const soon = redis.blpop('queue', 30)
await pause(5_000)
await other.select(0)
await other.rpush('queue', 'job')
await see('something comes', String(await soon), 'queue,job')
redis.disconnect()
other.disconnect()
if (wrong.length > 0) { console.error(wrong.join('; ')); process.exit(1) }
if (!reply.ok) { console.error('refused'); process.exit(1) }
`,
)
const driven = `driver:\n  command: node ${driver}\n  environment: { REDIS_PORT: "{port.kept}" }\n`
const only = ['--only', 'a.list#1 unavailable']

// Debian's package redis-server; the run of a fresh machine installs it.
describe.skipIf(withoutRedis)(`a Redis server beside${withoutRedis}`, () => {
  it('lets keys expire, and waits end, when their time has passed in the run (docs/explore.md)', async () => {
    const server = 'redis-server --port {port.kept} --bind 127.0.0.1 --save ""'
    const part = `services:\n  kept:\n    command: ${server}\n    ready: tcp\n    beside: true\n`
    const system = ['--system', written('followed.yaml', part + driven)]
    const { code, stderr, cases, on_the_wall } = await reportOf([...system, ...only])
    expect(code, stderr).toBe(0)
    expect(cases).toMatchObject([{ verdict: 'told', evidence: expect.stringContaining('refused') }])
    expect(on_the_wall).toBeUndefined()
  })
})

it('a part beside whose clock cannot follow is named, with what that means (docs/explore.md)', async () => {
  const lists = written(
    'lists.mjs',
    `const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const reply = await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
if (!reply.ok) { console.error('refused'); process.exit(1) }
`,
  )
  const part = `services:\n  store:\n    command: sleep 1000\n    beside: true\n`
  const file = written('beside.yaml', `${part}driver: node ${lists}\n`)
  const { stdout, stderr } = await runCommand(['explore', '--system', file, ...only])
  expect(stdout, stderr).toContain('Note: the time of store is that of the wall')
})

describe('how long a command of Redis waits at most', () => {
  it.each([
    ['BLPOP a b 5', 5000],
    ['brpop a 0', undefined],
    ['bzpopmin bull:videos:marker 9.5', 9500],
    ['BLMOVE a b LEFT RIGHT 0.25', 250],
    ['BLMPOP 3 1 a LEFT', 3000],
    ['xreadgroup group g c block 1500 streams s >', 1500],
    ['XREAD COUNT 1 STREAMS s 0', undefined],
    ['set a 5 px 5', undefined],
  ])('%s', (command, waitMs) => {
    expect(longestWaitMs(command.split(' '))).toBe(waitMs)
  })
})
