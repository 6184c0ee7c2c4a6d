import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { explore } from '../../src/explore/explore.ts'
import { exploreSettings } from '../../src/explore/options.ts'
import type { Report } from '../../src/explore/report.ts'
import { commandSubject } from '../../src/explore/run-command.ts'
import { virtualTimeEnvironment } from '../../src/explore/virtual-time-environment.ts'
import { startEmulator } from '../../src/index.ts'
import { runCommand } from '../support/emulator-process.ts'
import { freshProgram, root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'

const tie = pathToFileURL(join(root, 'dist/virtual-time.js')).href

/** Runs a program that is connected to a world. */
function runTied(world: { baseUrl: string; id: string }, source: string, ...args: string[]) {
  return run('node', ['--import', tie, '--input-type=module', '--eval', source, '--', ...args], {
    env: {
      PATH: process.env.PATH,
      GATEWAY_EMULATOR_URL: world.baseUrl,
      GATEWAY_EMULATOR_WORLD: world.id,
    },
  })
}

const folder = mkdtempSync(join(tmpdir(), 'virtual-time-test-'))
beforeAll(async () => void (await freshProgram()))
const emulator = await startEmulator({})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await emulator.close()
})

/** Polls with setInterval. If it may give up, it does so after fifteen minutes by its own clock. */
const poller = ({ everyMs, givesUp }: { everyMs: number; givesUp: boolean }) => `
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = url + '/api/v3/contents/generations/tasks'
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'x' }], duration: 4, ratio: '16:9' })
const { id } = await (await fetch(tasks, { method: 'POST', headers, body })).json()
const started = [Date.now(), performance.now()]
const timer = setInterval(async () => {
  const task = await (await fetch(tasks + '/' + id, { headers })).json()
  if (task.status === 'succeeded') {
    clearInterval(timer)
    console.log('done after', Date.now() - started[0], performance.now() - started[1])
  } else if (${givesUp} && Date.now() - started[0] > 15 * 60_000) {
    clearInterval(timer)
    console.error('gave up after fifteen minutes')
    process.exitCode = 1
  }
}, ${everyMs})
`

async function explored(only: string[], source: string): Promise<Report['cases']> {
  const path = join(folder, 'poller.mjs')
  writeFileSync(path, source)
  const inherited = { ...process.env, ...virtualTimeEnvironment(process.env) }
  const subject = commandSubject({ program: 'node', args: [path], env: [], inherited })
  const settings = exploreSettings({ only, clock: 'manual' }, '2026-01-01T00:00:00Z')
  return (await explore({ emulator, subject, settings })).cases
}

describe('a client that polls with setInterval (explore, "Time")', () => {
  it('sleeps by virtual time on both of its clocks, gives up by its own limit, and is not kept running by timers after unref()', async () => {
    const [slow, cancelled] = await explored(
      ['a.create task_slow', 'a.create task_cancelled'],
      `setInterval(() => {}, 60_000).unref()
AbortSignal.timeout(3_600_000)
${poller({ everyMs: 5000, givesUp: true })}`,
    ).then(cases => cases.sort((one, other) => other.id.localeCompare(one.id)))
    expect(slow).toMatchObject({ id: 'task_slow', verdict: 'recovered' })
    const [, date = '0', steady = '0'] = /done after (\d+) ([\d.]+)/.exec(slow?.log ?? '') ?? []
    expect(Number(date)).toBeGreaterThan(600_000)
    expect(Number(steady)).toBeGreaterThan(600_000)
    const evidence = expect.stringContaining('gave up after fifteen minutes')
    expect(cancelled).toMatchObject({ id: 'task_cancelled', verdict: 'rude', evidence })
  })

  it('is `hung` when it still polls after seven virtual days (--virtual-time)', async () => {
    const path = join(folder, 'never.mjs')
    writeFileSync(path, poller({ everyMs: 3_600_000, givesUp: false }))
    const options = ['--reporter', 'json', '--clock', 'manual', '--virtual-time']
    const only = ['--only', 'a.create task_cancelled']
    const { stdout, stderr } = await runCommand(['explore', ...options, ...only, '--', 'node', path])
    expect(stdout, stderr).not.toBe('')
    const { cases } = JSON.parse(stdout) as Report
    expect(cases).toMatchObject([{ verdict: 'hung', evidence: expect.stringContaining('in 7d') }])
  })
})

describe('a program that sleeps (explore, "Time")', () => {
  it.each([
    ['the global setTimeout', '', 'new Promise(resolve => setTimeout(resolve, hour))'],
    [
      'setTimeout of node:timers',
      "import timers from 'node:timers'",
      'new Promise(resolve => timers.setTimeout(resolve, hour))',
    ],
    [
      'setTimeout of node:timers/promises',
      "import { setTimeout as sleep } from 'node:timers/promises'",
      'sleep(hour)',
    ],
    [
      'setInterval of node:timers/promises',
      "import { setInterval as ticks } from 'node:timers/promises'",
      'ticks(hour)[Symbol.asyncIterator]().next().then(() => setImmediate(process.exit))',
    ],
    ['util.promisify(setTimeout)', "import { promisify } from 'node:util'", 'promisify(setTimeout)(hour)'],
  ])('by %s is kept alive, and its clock moves by an hour', async (_, imports, sleep) => {
    const world = await emulator.openWorld({ clock: 'manual' })
    const source = `${imports}\nconst hour = 3_600_000, began = Date.now()\nawait ${sleep}\nconsole.log(Date.now() - began)`
    const { code, stdout, stderr } = await runTied(world, source)
    expect([code, Number(stdout) >= 3_600_000], stdout + stderr).toEqual([0, true])
  })

  it.each([
    ['the global setInterval', '', 'setInterval(() => {}, 3_600_000).unref()'],
    [
      'setInterval of node:timers',
      "import timers from 'node:timers'",
      'timers.setInterval(() => {}, 3_600_000).unref()',
    ],
    [
      'setTimeout of node:timers/promises',
      "import { setTimeout as sleep } from 'node:timers/promises'",
      'const again = () => sleep(3_600_000, undefined, { ref: false }).then(again)\nagain()',
    ],
  ])('by %s is not kept alive by a timer after unref()', async (_, imports, start) => {
    const world = await emulator.openWorld({ clock: 'manual' })
    const { code, stderr } = await runTied(world, `${imports}\n${start}`)
    // A program that was kept alive would end with 124 after seven virtual days.
    expect(code, stderr).toBe(0)
  })
})

/** Fetches a file with a time-out of a minute, and prints its length or the error. */
const fetching = `
const fetched = async url => {
  const reply = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  return (await reply.arrayBuffer()).byteLength
}`
const withHttp = `
import { get } from 'node:http'
const fetched = url => new Promise((resolve, reject) => {
  const request = get(url, reply => {
    let length = 0
    reply.on('data', chunk => { length += chunk.length })
    reply.on('end', () => resolve(length))
    reply.on('error', reject)
  })
  request.on('error', reject)
  const timer = setTimeout(() => request.destroy(new Error('no more bytes')), 60_000)
  request.on('close', () => clearTimeout(timer))
})`

describe.each([
  ['fetch', fetching],
  ['node:http', withHttp],
])('a download with a time-out, by %s (explore, "Time")', (_, source) => {
  it.each([
    ['waits for a file that arrives slowly, however long it takes', { slow: '150kB/s' }, /^whole \d{5,}$/],
    ['ends by its time-out when a file stops half way', { stall_after: '50%' }, /^(TimeoutError|Error)$/],
  ])('%s', async (_, media, expected) => {
    // The same moment in each world, so that the file is rendered once.
    const world = await emulator.openWorld({ clock: 'manual', now: '2026-01-01T00:00:00Z' })
    await world.inject('media.download', 1, { media })
    const { id } = await world.tasks.create({ family: 'a', kind: 'a' })
    await world.clock.advanceUntil('idle')
    const [file] = (await world.tasks.get(id)).media
    const print = `${source}\nconsole.log(await fetched(process.argv[1]).then(length => 'whole ' + length, error => error.name))`
    const { stdout, stderr } = await runTied(world, print, String(file?.url))
    expect(stdout.trim(), stderr).toMatch(expected)
  })

  it('waits for bytes that a busy machine holds back, until the emulator has answered since', async () => {
    const url = await stallingEmulator()
    const print = `${source}\nconsole.log(await fetched(process.argv[1]).then(length => 'whole ' + length, error => error.name))`
    const { stdout, stderr } = await runTied({ baseUrl: url, id: 'busy' }, print, `${url}/file`)
    expect(stdout.trim(), stderr).toBe('whole 8')
  })
})

/** Sends a file in eight parts. The second one comes only when the program has noticed the silence and asks how the emulator is. */
async function stallingEmulator(): Promise<string> {
  let file: ServerResponse | undefined
  let left = 8
  const sendPart = () => {
    if (!file || left === 0) return
    file.write('x')
    if (--left === 0) file.end()
  }
  const server = createServer((request, response) => {
    if (request.url === '/file') {
      file = response
      sendPart()
      return
    }
    const isHealth = request.url === '/__emulator/health'
    if (isHealth) {
      sendPart()
      beat ??= setInterval(sendPart, 50)
    }
    response.end(JSON.stringify(isHealth ? { rendering: 0 } : { now_ms: 0 }))
  })
  let beat: NodeJS.Timeout | undefined
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    clearInterval(beat)
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
