import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wholeRun } from '../../src/console/copies/part.ts'
import { scenarioOf } from '../../src/console/copies/scenario.ts'
import { asExplore } from '../../src/explore/plan/observe.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { commandSubject, virtualTimeEnvironment } from '../../src/explore/run/run-command.ts'
import { runOnce } from '../../src/explore/run/world-run.ts'
import type { WorldClient } from '../../src/kits/client.ts'
import { runCommand } from '../support/emulator-process.ts'
import { reportOf } from '../support/explore-runs.ts'
import { root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

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

const { written } = writtenFiles('virtual-time-test-')
const emulator = await startForTest({})
const manualWorld = () => emulator.openWorld({ clock: 'manual' })

/** What a program prints that is connected to a world; its errors when that is nothing. */
async function printed(source: string, world?: WorldClient, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await runTied(world ?? (await manualWorld()), source, ...args)
  return stdout.trim() || stderr
}

it('no time passes between the two parts of an answer that one tied program writes to another', async () => {
  const server = written(
    'parts.mjs',
    `import { createServer } from 'node:net'
createServer(socket => {
  // In two parts, on a connection that has answered before.
  socket.on('data', () => { socket.write('head'); socket.write('body') })
}).listen(0, '127.0.0.1', function () { process.send(this.address().port) })
`,
  )
  const source = `
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
const child = fork(${JSON.stringify(server)}, [], { execArgv: ['--import', ${JSON.stringify(tie)}] })
const [port] = await once(child, 'message')
const socket = connect(port, '127.0.0.1')
await once(socket, 'connect')
const ticks = setInterval(() => {}, 60_000)
let longest = 0
for (let i = 0; i < 20; i++) {
  const began = performance.now()
  socket.write('call')
  for (let got = 0; got < 8; ) got += (await once(socket, 'data'))[0].length
  longest = Math.max(longest, performance.now() - began)
}
clearInterval(ticks)
socket.destroy()
child.kill()
console.log(longest < 1000 ? 'at once' : longest)
`
  expect(await printed(source)).toBe('at once')
})

/** Polls with setInterval. If it may give up, it does so after fifteen minutes by its own clock. */
const poller = ({ everyMs, givesUp }: { everyMs: number; givesUp: boolean }) => `
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = url + '/api/v3/contents/generations/tasks'
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'x' }], duration: 4, ratio: '16:9' })
const { id } = await (await fetch(tasks, { method: 'POST', headers, body })).json()
const elapsed = () => Number(process.hrtime.bigint()) / 1e6
const started = [Date.now(), performance.now(), elapsed()]
const timer = setInterval(async () => {
  const task = await (await fetch(tasks + '/' + id, { headers })).json()
  if (task.status === 'succeeded') {
    clearInterval(timer)
    console.log('done after', Date.now() - started[0], performance.now() - started[1], elapsed() - started[2])
  } else if (${givesUp} && Date.now() - started[0] > 15 * 60_000) {
    clearInterval(timer)
    console.error('gave up after fifteen minutes')
    process.exitCode = 1
  }
}, ${everyMs})
`

describe('the trace of a program in virtual time', () => {
  const oneSleep = `
const { setTimeout: sleep } = await import('node:timers/promises')
const tasks = process.env.GATEWAY_EMULATOR_URL + '/__emulator/worlds/' + process.env.GATEWAY_EMULATOR_WORLD + '/tasks'
await fetch(tasks)
await sleep(60_000)`

  it('tells its sleeps as its own, and a move by somebody else as one by hand', async () => {
    const world = await manualWorld()
    await world.clock.advance('3s')
    await runTied(world, oneSleep)
    await asExplore(world).clock.advanceUntil('idle')
    const { events } = await world.trace()
    expect(events.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'by_hand: the clock was moved on by 3s',
      'by_program: it slept or waited for 1m',
      'by_explore: the program had ended; until every task had ended, 0ms passed',
    ])
    await world.drop()
  })

  it('of an explored one has nothing that was done by hand, and copies carry no moves of the clock', async () => {
    const path = written('one-poll.mjs', poller({ everyMs: 5000, givesUp: true }))
    const subject = commandSubject({ program: 'node', args: [path], env: [], inherited: process.env })
    const settings = { ...exploreSettings({}, '2026-01-01T00:00:00Z'), time: 'auto' } as const
    const exploration = { emulator, subject, settings }
    const { trace } = await runOnce(exploration, { name: 'undisturbed', limitMs: 60_000 })
    const kinds = new Set(trace.events.flatMap(({ kind, action }) => (action ? kind : [])))
    expect([...kinds].sort()).toEqual(['by_explore', 'by_program'])
    expect(trace.events.some(({ text }) => text === 'it slept or waited for 5s')).toBe(true)
    const { rules, description } = scenarioOf(wholeRun(trace))
    expect(rules.filter(({ then }) => 'clock' in then)).toEqual([])
    expect(description).not.toContain('Not carried over')
  })
})

describe('a client that polls with setInterval', () => {
  it('sleeps by virtual time on all of its clocks, gives up by its own limit, and is not kept running by timers after unref()', async () => {
    const source = `setInterval(() => {}, 60_000).unref()
AbortSignal.timeout(3_600_000)
${poller({ everyMs: 5000, givesUp: true })}`
    const command = ['node', written('poller.mjs', source)] as const
    const only = ['a.create task_slow', 'a.create task_cancelled']
    const { cases } = await emulator.explore({ command }, { only })
    const [slow, cancelled] = cases.sort((one, other) => other.id.localeCompare(one.id))
    expect(slow).toMatchObject({ id: 'task_slow', verdict: 'recovered' })
    const passed = /done after (\d+) ([\d.]+) ([\d.]+)/.exec(slow?.log ?? '')?.slice(1) ?? []
    expect(passed.map(ms => Number(ms) > 600_000)).toEqual([true, true, true])
    const evidence = expect.stringContaining('gave up after fifteen minutes')
    expect(cancelled).toMatchObject({ id: 'task_cancelled', verdict: 'rude', evidence })
  })

  it('a sleep keeps the program running: it never comes to `beforeExit`, where node:test would cancel the tests that sleep', async () => {
    const source = `process.on('beforeExit', () => console.log('ended'))
for (let i = 0; i < 3; i++) await new Promise(resolve => setTimeout(resolve, 60_000))
setTimeout(() => {}, 1000).unref()
console.log('slept')`
    expect(await printed(source)).toBe('slept\nended')
  })

  it('is `hung` when it still polls after seven virtual days (--virtual-time)', async () => {
    const options = ['--clock', 'manual', '--virtual-time', '--only', 'a.create task_cancelled']
    const { cases } = await reported(options, poller({ everyMs: 3_600_000, givesUp: false }))
    expect(cases).toMatchObject([{ verdict: 'hung', evidence: expect.stringContaining('in 7d') }])
  })
})

/** The report on a program, with these options of the command line. */
const reported = (options: string[], source: string) =>
  reportOf([...options, '--', 'node', written('program.mjs', source)])

/** Fails in the undisturbed run when its minute takes no wall time. */
const needsRealTime = `
const wall = new Event("").timeStamp
await new Promise(resolve => setTimeout(resolve, 300))
if (new Event("").timeStamp - wall < 200) throw new Error('the clocks do not agree')
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
`

describe('the time of a command', () => {
  const givesUpAfterFive = poller({ everyMs: 5000, givesUp: true }).replace('15 * 60_000', '5 * 60_000')

  it('is virtual unless something else is asked for, with a manual clock, and a client that gives up after five minutes does not recover from a queue of ten', async () => {
    const clock = `console.error(await (await fetch(process.env.GATEWAY_EMULATOR_URL + '/__emulator/worlds/' + process.env.GATEWAY_EMULATOR_WORLD + '/clock')).text())`
    const { time, cases } = await reported(['--only', 'task_slow'], `${givesUpAfterFive}\n${clock}`)
    expect(time).toEqual({ used: 'virtual', why: "the program's own sleeps move the clock" })
    expect(cases).toMatchObject([{ id: 'task_slow', log: expect.stringContaining('gave up after') }])
    expect(cases[0]?.log).toContain('"mode":"manual"')
    expect(cases[0]?.verdict).not.toBe('recovered')
  })

  it('is real when the undisturbed run fails with virtual time and not without, and the report says so', async () => {
    const { time } = await reported(['--only', 'unavailable'], needsRealTime)
    expect(time.used).toBe('real')
    expect(time.why).toMatch(/^with virtual time the undisturbed run ended/)
  })

  it('is real with --time real; then the queue of ten minutes is listed as not tried', async () => {
    const program = poller({ everyMs: 5, givesUp: true })
    const only = ['--only', 'task_slow', '--only', 'task_failed']
    const report = await reported(['--time', 'real', '--limit', '4s', ...only], program)
    expect(report.time).toEqual({ used: 'real', why: expect.stringMatching(/^as asked for(;|$)/) })
    expect(report.cases.map(({ id }) => id)).toEqual(['task_failed'])
    const reason = expect.stringContaining('cannot be judged in real time')
    expect(report.not_tried).toContainEqual({ kind: 'case', what: 'a.create#1 task_slow', reason })
  })

  it('must be one word: --virtual-time beside --time real is refused', async () => {
    const { code, stderr } = await runCommand(['explore', '--virtual-time', '--time', 'real', '--', 'node'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--virtual-time means --time virtual')])
  })
})

describe('a request that gets no answer', () => {
  it('ends by the five minutes of `fetch` itself, in virtual time', async () => {
    const world = await manualWorld()
    await world.inject('a.list', 1, { connection: 'hang' })
    const source = `const began = Date.now()
const headers = { Authorization: 'Bearer ${world.apiKey}' }
await fetch('${world.baseUrl}/api/v3/contents/generations/tasks', { headers }).catch(error => console.log(error.cause.code, Date.now() - began))`
    expect(await printed(source, world)).toBe('UND_ERR_HEADERS_TIMEOUT 300000')
  })

  it('ends five minutes after the last part of its own body, whatever other connections bring', async () => {
    const source = `import { createServer } from 'node:http'
const server = createServer((request, reply) => {
  if (request.url === '/other') return reply.end('a part')
  reply.write('the first part')
  setTimeout(() => reply.write('the last part'), 60_000)
}).listen(0, '127.0.0.1', async () => {
  const began = Date.now()
  const place = 'http://127.0.0.1:' + server.address().port
  setInterval(() => fetch(place + '/other').then(reply => reply.text()), 7000)
  await (await fetch(place)).text().catch(error => console.log(error.cause.code, Date.now() - began))
  process.exit()
})`
    expect(await printed(source)).toBe('UND_ERR_BODY_TIMEOUT 360000')
  })

  it('shows at once that a program without any time-out never ends', async () => {
    const world = await manualWorld()
    await world.inject('a.list', 1, { connection: 'hang' })
    const source = `import { get } from 'node:http'
get('${world.baseUrl}/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ${world.apiKey}' } })`
    const { code, stderr } = await runTied(world, source)
    expect(code).toBe(124)
    expect(stderr).toMatch(
      /^virtual-time: nobody waits for any moment: process \d+ waits for an answer of 127\.0\.0\.1:\d+\nvirtual-time: still running/,
    )
  })

  it.each([
    ['waits for a reply that is later than half a second when its own time-out is longer', 60_000, '200'],
    ['waits for it when its own time-out is a little longer', 3010, '200'],
    ['gives up on it when its own time-out is as long', 3000, 'TimeoutError'],
    ['gives up on it when its own time-out is a little shorter', 2990, 'TimeoutError'],
    ['gives up on it when its own time-out is shorter', 1000, 'TimeoutError'],
  ])('%s', async (_, limitMs, expected) => {
    const world = await manualWorld()
    await world.inject('a.list', 1, { connection: { latency: '3s' } })
    const source = `const headers = { Authorization: 'Bearer ${world.apiKey}' }
const init = { headers, signal: AbortSignal.timeout(${limitMs}) }
console.log(await fetch('${world.baseUrl}/api/v3/contents/generations/tasks', init).then(({ status }) => status, ({ name }) => name))`
    expect(await printed(source, world)).toBe(expected)
  })

  it('waits for it when its own time-out is a little longer, whatever part of the wait has passed in wall time', async () => {
    const world = await manualWorld()
    const latencies = Array.from({ length: 10 }, (_, i) => 1000 + 10 * i)
    for (const [i, ms] of latencies.entries())
      await world.inject('a.list', i + 1, { connection: { latency: `${ms}ms` } })
    const source = `const headers = { Authorization: 'Bearer ${world.apiKey}' }
for (const ms of ${JSON.stringify(latencies)}) {
  const reply = await fetch('${world.baseUrl}/api/v3/contents/generations/tasks', { headers, signal: AbortSignal.timeout(ms + 10) })
  console.log(reply.status)
}`
    expect(await printed(source, world)).toBe(latencies.map(() => '200').join('\n'))
  })
})

it('a program that rests between two requests without a timer skips no time, so that no time-out of a request comes early', async () => {
  const source = `
import http from 'node:http'
import { readFile } from 'node:fs/promises'
const agent = new http.Agent({ keepAlive: true, timeout: 5000 })
const tasks = process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks'
const list = () => new Promise((resolve, reject) => {
  const request = http.get(tasks, { agent }, reply => reply.resume().on('end', resolve))
  request.setTimeout(10_000, () => request.destroy(new Error('timed out')))
  request.on('error', reject)
})
let timedOut = 0
for (let turn = 0; turn < 200; turn++) {
  await list().catch(() => timedOut++)
  for (let reads = 0; reads < turn % 40; reads++) await readFile('package.json')
}
console.log(timedOut)`
  const { stdout, stderr } = await runTied(await manualWorld(), source)
  expect([stdout.trim(), stderr]).toEqual(['0', ''])
})

it('a sleep beside a loop of short sleeps and reads takes as long in the world as the program asked for', async () => {
  const world = await manualWorld()
  const source = `
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
const tasks = process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks'
let isOn = true
const loop = (async () => { while (isOn) { await readFile('package.json'); await sleep(100) } })()
const started = Date.now()
for (let turn = 0; turn < 20; turn++) {
  await (await fetch(tasks)).text()
  await sleep(5000)
}
isOn = false
await loop
console.log((Date.now() - started) / 1000)`
  const before = (await world.clock.get()).now_ms
  const slept = Number(await printed(source, world))
  expect(slept).toBeGreaterThanOrEqual(100)
  expect(slept).toBeLessThan(102)
  expect(((await world.clock.get()).now_ms - before) / 1000).toBeCloseTo(slept, 0)
})

describe('a program that waits without giving up its only thread', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a loop over Date.now', 'const end = Date.now() + 3000; while (Date.now() < end);'],
    ['a loop over new Date', 'const end = +new Date() + 3000; while (new Date() < end);'],
    ['a loop over performance.now', 'const at = performance.now(); while (performance.now() - at < 3000) {}'],
    ['a loop over process.hrtime', 'const at = process.hrtime.bigint(); while (process.hrtime.bigint() - at < 3_000_000_000n);'],
    ['turns of the event loop', 'const end = Date.now() + 3000; while (Date.now() < end) await new Promise(setImmediate)'],
    ['Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)'],
  ],
  )(
    'by %s goes on when its time has come, and the world has moved as far before its next request',
    async (_, wait) => {
      const world = await manualWorld()
      const before = (await world.clock.get()).now_ms
      const source = `const began = Date.now()\n${wait}\nconsole.log(Date.now() - began)
await fetch('${world.baseUrl}/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ${world.apiKey}' } })`
      expect(await printed(source, world)).toBe('3000')
      const [request] = await world.requests.list()
      expect((request?.at_ms ?? 0) - before).toBe(3000)
    },
  )
})

it.each([
  [
    'that waits for another one skips no time, and its own limit is not reached',
    `import { spawn } from 'node:child_process'
const child = spawn(process.execPath, ['-e', 'const end = process.uptime() + 0.3; while (process.uptime() < end);'])
const limit = setTimeout(() => { console.log('too late'); child.kill() }, 60_000)
child.once('exit', code => { clearTimeout(limit); console.log('ended with', code) })`,
    'ended with 0',
  ],
  [
    'that only looks at the clock often meets none of its time limits',
    `const began = Date.now()
const limit = setTimeout(() => console.log('too late'), 500)
for (let line = 0; line < 100_000; line++) \`\${new Date().toISOString()} \${Math.round(performance.now())} line \${line}\`
await new Promise(setImmediate)
clearTimeout(limit)
console.log(Date.now() - began < 500)`,
    'true',
  ],
  [
    'that works in many turns of its event loop without a look at the clock sees no time pass',
    `const began = Date.now()
for (let limits = 0; limits < 20; limits++) {
  const limit = setTimeout(() => {}, 1000)
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  clearTimeout(limit)
}
console.log(Date.now() - began)`,
    '0',
  ],
  [
    'that waits for a process in place sees the time that this one takes',
    `import { execFileSync } from 'node:child_process'
const began = Date.now()
execFileSync(process.execPath, ['-e', 'while (process.uptime() < 0.3);'], { env: {} })
console.log(Date.now() - began >= 300)`,
    'true',
  ],
  [
    'whose only thread is busy fires a timer that it has missed, and its clock does not go back',
    `const began = Date.now()
setTimeout(() => console.log('missed', Date.now() - began), 100)
setTimeout(() => console.log('later', Date.now() - began), 700)
while (Date.now() < began + 500);`,
    'missed 500\nlater 700',
  ],
])('a program %s', async (_, source, expected) => {
  expect(await printed(source)).toBe(expected)
})

describe('a program that sleeps', () => {
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
    const world = await manualWorld()
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

/** The time-out of the connection itself, which each part of the file begins anew. */
const bySocket = withHttp
  .replace(
    /const timer = .*/,
    "request.setTimeout(60_000, () => request.destroy(new Error('no more bytes')))",
  )
  .replace(/request\.on\('close'.*/, '')

describe.each([
  ['fetch', fetching],
  ['node:http', withHttp],
  ['node:http and the time-out of its socket', bySocket],
])('a download with a time-out, by %s', (_, source) => {
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
    expect(await printed(print, world, String(file?.url))).toMatch(expected)
  })
})

const asking = {
  node: `await fetch(process.argv[1], { headers: { Authorization: 'Bearer ' + process.argv[2] }, signal: AbortSignal.timeout(60_000) })`,
  python3: `import sys, urllib.request as u
u.urlopen(u.Request(sys.argv[1], headers={'Authorization': 'Bearer ' + sys.argv[2]}), timeout=60)`,
}

it.each([
  ['node', ['--input-type=module', '--eval', asking.node, '--']],
  ['python3', ['-c', asking.python3]],
])('a program of %s that is killed at an open request meets no time-out before', async (program, args) => {
  const now = '2026-01-01T00:00:00.000Z'
  const world = await emulator.openWorld({ clock: 'manual', now })
  await world.inject('a.list', 1, { connection: 'hang' })
  const link = `${world.baseUrl}/api/v3/contents/generations/tasks`
  const child = spawn(program, [...args, link, world.apiKey], {
    env: {
      PATH: process.env.PATH,
      GATEWAY_EMULATOR_URL: world.baseUrl,
      GATEWAY_EMULATOR_WORLD: world.id,
      ...virtualTimeEnvironment({}, { dies: true }),
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => world.requests.list(), { timeout: 10_000 }).toHaveLength(1)
  await pause(1500)
  expect([child.exitCode, (await world.clock.get()).now]).toEqual([null, now])
})
