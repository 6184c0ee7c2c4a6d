import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'
import { startForTest } from '../support/start-for-test.ts'

const tie = pathToFileURL(join(root, 'dist/virtual-time.js')).href
const emulator = await startForTest({ clock: 'manual' })

/** Runs a module that is tied by these variables, beside PATH. */
function runTied(variables: Record<string, string>, source: string) {
  return run(process.execPath, ['--import', tie, '--input-type=module', '--eval', source], {
    env: { PATH: process.env.PATH, ...variables },
  })
}

async function inWorld(source: string) {
  const world = await emulator.openWorld({ clock: 'manual' })
  const { stdout, stderr } = await runTied(
    { GATEWAY_EMULATOR_URL: world.baseUrl, GATEWAY_EMULATOR_WORLD: world.id },
    source,
  )
  await world.drop()
  return { stdout, stderr }
}

/** Everything of Node that waits for a length of time: an expression that waits for three seconds of the program's time. */
const waits: Record<string, string> = {
  'global.setTimeout': 'new Promise(done => setTimeout(done, 3000))',
  'global.setTimeout[promisify.custom]': 'promisify(setTimeout)(3000)',
  'global.setInterval':
    'new Promise(done => { const timer = setInterval(() => done(clearInterval(timer)), 3000) })',
  'timers.setTimeout': 'new Promise(done => timers.setTimeout(done, 3000))',
  'timers.setTimeout[promisify.custom]': 'promisify(timers.setTimeout)(3000)',
  'timers.setInterval':
    'new Promise(done => { const timer = timers.setInterval(() => done(timers.clearInterval(timer)), 3000) })',
  'timers.promises': 'timers.promises.setTimeout(3000)',
  'timers/promises.setTimeout': 'promises.setTimeout(3000)',
  'timers/promises.setInterval':
    '(async () => { for await (const _ of promises.setInterval(1000)) if (++turns === 3) return })()',
  'timers/promises.scheduler': 'promises.scheduler.wait(3000)',
  'scheduler.wait': 'wait(3000)',
  'AbortSignal.timeout': "held(done => AbortSignal.timeout(3000).addEventListener('abort', done))",
  'Atomics.wait': 'Atomics.wait(shared, 0, 0, 3000)',
  'Atomics.waitAsync': 'held(done => Atomics.waitAsync(shared, 0, 0, 3000).value.then(done))',
}

/** Everything of Node that tells the time, in ms. */
const clocks: Record<string, string> = {
  'global.Date': 'Date.now()',
  'global.performance': 'globalThis.performance.now()',
  'perf_hooks.performance': 'hooks.performance.now()',
  'performance.now': 'performance.now()',
  'performance.timeOrigin': 'performance.timeOrigin + performance.now()',
  'performance.toJSON': 'performance.toJSON().timeOrigin + performance.now()',
  'performance.mark': "performance.mark('a mark').startTime",
  'performance.measure': "performance.measure('since the start').duration",
  'process.hrtime': '((parts) => parts[0] * 1000 + parts[1] / 1e6)(process.hrtime())',
  'process.hrtime.bigint': 'Number(process.hrtime.bigint() / 1000n) / 1000',
  'process.uptime': '1000 * process.uptime()',
}

/** The limits of child processes are tested below. */
const children = ['child_process.exec', 'child_process.execFile', 'child_process.fork', 'child_process.spawn']

/** What the program's time leaves alone, and why. */
const left: Record<string, string> = {
  'global.timers': 'the module, which `--eval` shows as a global',
  'global.clearTimeout': 'waits for nothing',
  'global.clearInterval': 'waits for nothing',
  'global.setImmediate': 'takes no time',
  'global.clearImmediate': 'takes no time',
  'global.AbortSignal': 'its `timeout` has a row of its own',
  'global.Performance': 'the class; its methods are replaced on `performance`',
  'global.PerformanceEntry': 'a class',
  'global.PerformanceMark': 'a class; its constructor reads the clock of the machine',
  'global.PerformanceMeasure': 'a class',
  'global.PerformanceObserver': 'a class',
  'global.PerformanceObserverEntryList': 'a class',
  'global.PerformanceResourceTiming': 'what the network took, on the clock of the machine',
  'timers.clearTimeout': 'waits for nothing',
  'timers.clearInterval': 'waits for nothing',
  'timers.setImmediate': 'takes no time',
  'timers.clearImmediate': 'takes no time',
  'timers.active': 'deprecated since Node 11, and gone in Node 24',
  'timers._unrefActive': 'deprecated since Node 11, and gone in Node 24',
  'timers.enroll': 'deprecated since Node 10, and gone in Node 24',
  'timers.unenroll': 'deprecated since Node 10, and gone in Node 24',
  'timers/promises.setImmediate': 'takes no time',
  'scheduler.yield': 'takes no time',
  'AbortSignal.abort': 'takes no time',
  'AbortSignal.any': 'takes no time',
  'Atomics.pause': 'a hint to the processor',
  'child_process.ChildProcess': 'has no limit',
  'child_process._forkChild': 'starts nothing',
  'child_process.spawnSync': 'keeps the only thread: the clock follows wall time meanwhile',
  'child_process.execSync': 'keeps the only thread: the clock follows wall time meanwhile',
  'child_process.execFileSync': 'keeps the only thread: the clock follows wall time meanwhile',
  'process._startProfilerIdleNotifier': 'measures the machine',
  'process.nextTick': 'takes no time',
  'process._tickCallback': 'takes no time',
  'perf_hooks.createHistogram': 'keeps what it is given',
  'perf_hooks.monitorEventLoopDelay': 'measures the machine',
  'perf_hooks.eventLoopUtilization': 'measures the machine',
  'perf_hooks.timerify': 'measures the machine',
  'perf_hooks.constants': 'has no clock',
  'performance.eventLoopUtilization': 'measures the machine; waits of the program count as work in it',
  'performance.timerify': 'measures the machine',
  'performance.nodeTiming': 'what the start of Node took',
  'performance.markResourceTiming': 'is given its times',
  ...Object.fromEntries(
    ['clearMarks', 'clearMeasures', 'clearResourceTimings', 'setResourceTimingBufferSize', 'constructor']
      .concat(['getEntries', 'getEntriesByName', 'getEntriesByType', 'onresourcetimingbufferfull'])
      .concat(['addEventListener', 'removeEventListener', 'dispatchEvent'])
      .map(name => [`performance.${name}`, 'has no clock']),
  ),
  ...Object.fromEntries(
    ['Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver']
      .concat(['PerformanceObserverEntryList', 'PerformanceResourceTiming'])
      .map(name => [`perf_hooks.${name}`, 'the class of the global of this name']),
  ),
  'scheduler.constructor': 'a class',
  'process.cpuUsage': 'time of the processor',
}

const modules = `
import childProcess from 'node:child_process'
import * as hooks from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'
`

/** Names of what waits, or tells the time, in this version of Node. */
const listing = `${modules}
const namesOf = (room, holder, pattern = /./) => {
  const names = []
  for (let one = holder; one && one !== Object.prototype && one !== EventEmitter; one = Object.getPrototypeOf(one))
    names.push(...Object.getOwnPropertyNames(one))
  return names.filter(name => pattern.test(name)).map(name => room + '.' + name)
}
const EventEmitter = Object.getPrototypeOf(Object.getPrototypeOf(process))
const clockWords = /time|tick|delay|interval|immediate|^Date$|performance|Temporal|schedul|AbortSignal/i
console.log(JSON.stringify([
  namesOf('global', globalThis, clockWords),
  namesOf('process', process, /time|tick/i),
  namesOf('timers', timers),
  namesOf('timers/promises', promises),
  namesOf('scheduler', promises.scheduler),
  namesOf('performance', performance),
  namesOf('perf_hooks', hooks.default),
  Object.getOwnPropertyNames(AbortSignal).filter(name => !['length', 'name', 'prototype'].includes(name)).map(name => 'AbortSignal.' + name),
  namesOf('Atomics', Atomics, /wait|pause|sleep|time/i),
  namesOf('child_process', childProcess),
].flat()))`

describe('the timers and clocks of Node', () => {
  it('are all known here: a new version with another one must say how it is tied, or why not', async () => {
    const { stdout, stderr } = await inWorld(listing)
    expect(stderr).toBe('')
    const known = new Set([...Object.keys({ ...waits, ...clocks, ...left }), ...children])
    const found = JSON.parse(stdout) as string[]
    expect(found).toEqual(expect.arrayContaining(['global.setTimeout', 'scheduler.wait', 'process.uptime']))
    expect(found.filter(name => !known.has(name))).toEqual([])
  })

  it('that wait or tell the time agree: each wait of three seconds is three seconds on every clock', async () => {
    const source = `${modules}
const shared = new Int32Array(new SharedArrayBuffer(4))
const { scheduler: { wait } } = promises
let turns = 0
/** Such a wait does not keep a program alive. */
const held = begin => new Promise(done => { const timer = setInterval(() => {}, 600_000); begin(() => done(clearInterval(timer))) })
const clocks = () => [${Object.values(clocks).join(', ')}]
const waits = {${Object.entries(waits).map(([name, wait]) => `\n${JSON.stringify(name)}: async () => ${wait}`)}}
const passed = {}
for (const [name, wait] of Object.entries(waits)) {
  const before = clocks()
  await wait()
  passed[name] = clocks().map((after, i) => Math.round(after - before[i]))
}
console.log(JSON.stringify(passed))`
    const { stdout, stderr } = await inWorld(source)
    expect(stderr).toBe('')
    const each = Object.keys(clocks).map(() => 3000)
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(Object.keys(waits).map(name => [name, each])))
  })

  it('refuse and abort as Node does, and timers can be closed and disposed of', async () => {
    const source = `${modules}
const told = promise => promise.then(() => 'done', ({ name, code, cause }) => [name, code, cause?.name])
const late = () => ({ signal: AbortSignal.timeout(1000) })
const turn = async () => { for await (const _ of promises.setInterval(3000, 0, late())); }
setTimeout(() => console.log('closed?'), 1000).close()
setTimeout(() => console.log('disposed of?'), 1000)[Symbol.dispose]()
console.log(JSON.stringify({
  sleep: await told(promises.setTimeout(3000, 0, late())),
  wait: await told(promises.scheduler.wait(3000, late())),
  interval: await told(turn()),
  promisified: await told(promisify(setTimeout)(3000, 0, late())),
  aborted: await told(promises.setTimeout(3000, 0, { signal: AbortSignal.abort() })),
  word: await told(promises.setTimeout('3000')),
  signal: await told(promises.scheduler.wait(3000, { signal: {} })),
  value: await promises.setTimeout(3000, 'a value'),
  negative: await told((async () => AbortSignal.timeout(-1))()),
  next: await (async () => { for await (const turn of promises.setInterval(1000, 'a turn')) return turn })(),
}))`
    const { stdout, stderr } = await inWorld(source)
    expect(stderr).toBe('')
    const aborted = ['AbortError', 'ABORT_ERR', 'TimeoutError']
    expect(JSON.parse(stdout)).toEqual({
      ...{ sleep: aborted, wait: aborted, interval: aborted, promisified: aborted },
      aborted: ['AbortError', 'ABORT_ERR', 'AbortError'],
      word: ['TypeError', 'ERR_INVALID_ARG_TYPE', null],
      signal: ['TypeError', 'ERR_INVALID_ARG_TYPE', null],
      value: 'a value',
      negative: ['RangeError', 'ERR_OUT_OF_RANGE', null],
      next: 'a turn',
    })
  })

  it('a notification reaches the waiter that still waits, not one that has timed out', async () => {
    const source = `
const shared = new Int32Array(new SharedArrayBuffer(4))
const told = []
const wait = (name, ms) => Atomics.waitAsync(shared, 0, 0, ms).value.then(outcome => told.push(name + ' ' + outcome))
wait('short', 1000)
wait('long', 60_000)
wait('endless')
await new Promise(done => setTimeout(done, 5000))
Atomics.notify(shared, 0, 1)
await new Promise(done => setTimeout(done, 5000))
console.log(told.join(', '))`
    expect(await inWorld(source)).toEqual({ stdout: 'short timed-out, long ok\n', stderr: '' })
  })

  const asleep = `for (;;) {
  await fetch(process.env.GATEWAY_EMULATOR_URL + '/')
  await new Promise(done => setTimeout(done, 60_000))
}`

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['exec', "promisify(childProcess.exec)(command, { env, timeout, shell: '/bin/sh' })"],
    ['execFile', 'promisify(childProcess.execFile)(process.execPath, args, { env, timeout })'],
    ['execFile with a callback', 'ended(done => childProcess.execFile(process.execPath, args, { env, timeout }, done))'],
    ['spawn', "ended(done => childProcess.spawn(process.execPath, args, { env, timeout }).on('exit', (code, signal) => done({ signal })))"],
    ['fork', "ended(done => childProcess.fork('data:', { env, timeout, execArgv: args }).on('exit', (code, signal) => done({ signal })))"],
  ],
  )('`timeout` of %s is in the time that the child sleeps by', async (_, start) => {
    const source = `${modules}
const timeout = 3_600_000
const args = ['--input-type=module', '--eval', ${JSON.stringify(asleep)}]
const command = 'exec "$PROGRAM" --input-type=module --eval "$SOURCE"'
const env = { ...process.env, NODE_OPTIONS: '--import ' + ${JSON.stringify(tie)}, PROGRAM: process.execPath, SOURCE: args[2] }
const ended = begin => new Promise((_, reject) => begin(reject))
const began = Date.now()
const { signal, killed } = await ${start}.catch(error => error)
console.log(signal, killed, Date.now() - began >= timeout)`
    const { stdout, stderr } = await inWorld(source)
    expect(stdout, stderr).toMatch(/^SIGTERM (true|undefined) true\n$/)
  })
})

describe('the variables of virtual time', () => {
  const sleeps = `await new Promise(done => setTimeout(done, 60_000))
console.log('slept')`
  const at = { GATEWAY_EMULATOR_URL: emulator.url }
  const passedIn = async (id: string, variables: Record<string, string>) => {
    const world = emulator.worldNamed(id)
    const ended = await runTied(variables, sleeps)
    const { events } = await world.trace()
    expect(ended).toEqual({ code: 0, stdout: 'slept\n', stderr: '' })
    return events.map(({ text }) => text)
  }

  it('without an address the program runs in real time, and one line says so', async () => {
    const { code, stdout, stderr } = await runTied({}, "console.log('ran')")
    expect([code, stdout]).toEqual([0, 'ran\n'])
    expect(stderr).toMatch(/^virtual-time: GATEWAY_EMULATOR_URL is not set, .*\n$/)
  })

  it('with the address alone, or with a slash at its end, the world is `default`', async () => {
    expect(await passedIn('default', at)).toEqual(['it slept or waited for 1m'])
    const withSlash = { GATEWAY_EMULATOR_URL: `${emulator.url}/` }
    expect(await passedIn('default', withSlash)).toEqual(['it slept or waited for 2m'])
  })

  it.each([
    ['a world', 'not-open', { GATEWAY_EMULATOR_WORLD: 'not-open' }],
    ['the key of an account', 'by-key', { GATEWAY_EMULATOR_KEY: 'sk-test-by-key.poor' }],
  ])('%s that is not open is opened, as its key does', async (_, id, variables) => {
    expect(await passedIn(id, { ...at, ...variables })).toEqual(['it slept or waited for 1m'])
  })

  it.each([
    ['a name that no world can have', { ...at, GATEWAY_EMULATOR_WORLD: 'a b' }, /is not a world's name/],
    ['no http address', { GATEWAY_EMULATOR_URL: '127.0.0.1:8585' }, /not an http address such as/],
    [
      'an address without an emulator',
      { GATEWAY_EMULATOR_URL: 'http://127.0.0.1:1' },
      /No emulator answers at/,
    ],
  ])('%s is refused in one line, before the program', async (_, variables, message) => {
    const { code, stdout, stderr } = await runTied(variables, sleeps)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^virtual-time: [^\n]*; the program was not started\n$/)
  })
})
