import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSystemFile } from '../../src/explore/system/read-system.ts'
import { systemSubject } from '../../src/explore/system/system-subject.ts'
import { runCommand } from '../support/emulator-process.ts'
import { reportOf } from '../support/explore-runs.ts'
import { isAlive } from '../support/left-processes.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const { folder, written } = writtenFiles('explore-systems-')

const web = written(
  'web.mjs',
  `import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
if (process.argv[3]) appendFileSync(process.argv[3], process.pid + '\\n')
createServer((request, response) => response.end('here')).listen(Number(process.argv[2]), '127.0.0.1')
`,
)
/** Notes the signal at which Node tells what ran, and goes on, as programs of Ruby and Go do. */
const deaf = written(
  'deaf.sh',
  `trap 'echo told >> "$1"' VTALRM
echo started | tee -a "$1"
while :; do sleep 0.1; done
`,
)
/** Asks for the list of tasks; with an argument it waits for ever after the undisturbed run. */
const driver = written(
  'drive.mjs',
  `// A user of the system.
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
const reply = await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
if (process.argv[2] && name !== 'undisturbed') await new Promise(() => setInterval(() => {}, 1000))
if (!reply.ok) { console.error('refused with', reply.status); process.exit(1) }
`,
)
const lister = `driver: node ${driver}`
const webService = (more = '', node = 'node') =>
  `services:\n  web:\n    command: ${node} ${web} {port.web} ${more}\n    ready: tcp\n`
const explore = (...args: string[]) => runCommand(['explore', ...args])

describe('a wrong file of a system is refused with its line, its key and the nearest name, or all names', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['comand', 'services:\n  web:\n    comand: node x\n', ':3: services.web.comand: ', '(did you mean command?)'],
    ['port', 'services:\n  web:\n    command: node x {port.wep}\n', ':3: services.web.command: ', 'did you mean {port.web}?'],
    [
      'depends',
      'services:\n  web:\n    command: node x\n    depends_on: [redi]\n  redis:\n    command: x\n',
      ':4: services.web.depends_on[0]: ',
      '"redi" is no service; did you mean redis?',
    ],
    [
      'list',
      'services:\n  web:\n    command: node x\n    depends_on: { redis: {} }\n',
      ':4: services.web.depends_on: ',
      'must be an array (expected: a list of services)',
    ],
    ['none', 'services: {}\n', ':1: services: ', '{} is empty, must have an entry'],
    ['address', 'services:\n  web:\n    command: node x\n    ready: http://127.0.0.1:99999/\n', ':4: services.web.ready: ', 'is no address such as http://127.0.0.1:{port.web}/health'],
    ['far', 'services:\n  web:\n    command: node x\n    depends_on: [redis]\n', ':4: services.web.depends_on[0]: ', '"redis" is no service; they are web'],
  ],
  )('%s', async (name, services, place, suggestion) => {
    const file = written(`wrong-${name}.yaml`, `${services}${lister}\n`)
    const { code, stderr } = await explore('--system', file)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}${place}`)])
    expect(stderr).toContain(suggestion)
  })
})

it.each([
  ['--ready', 'web=tcp'],
  ['--scale', 'web=2'],
  ['--kill', 'web'],
  ['--restart-after', '2s'],
])('%s without a service is refused', async (flag, value) => {
  const { code, stderr } = await explore(flag, value, '--', 'node', driver)
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${flag} is about a service of --system or --service; give one of them, too`),
  ])
})

describe('a system of services and their driver', () => {
  it('tells a service that ends before it is ready with its own last lines, and exits with 3', async () => {
    const mute = written('mute.mjs', `console.log('no database here')\nprocess.exit(4)\n`)
    const services = `services:\n  web:\n    command: node ${mute} {port.web}\n    ready: tcp\n`
    const { code, stderr } = await explore('--system', written('mute.yaml', `${services}${lister}\n`))
    expect([code, stderr]).toEqual([3, expect.stringContaining('the service web ended with 4')])
    expect(stderr).toContain('| no database here')
  })

  it('is told by flags, too, with its driver after --', async () => {
    const flags = ['--service', `web=node ${web} {port.web}`, '--ready', 'web=http://127.0.0.1:{port.web}/']
    const only = ['--only', 'a.list#1 unavailable']
    const { code, stderr, cases } = await reportOf([...flags, ...only, '--', 'node', driver])
    expect(code, stderr).toBe(0)
    expect(cases).toMatchObject([{ verdict: 'told' }])
  })

  it('is a false success when its check fails although its driver ended with 0', async () => {
    const check = `check: [node, -e, "if (process.env.GATEWAY_EMULATOR_CASE !== 'undisturbed') throw new Error('a job is lost')"]`
    const file = written('checked.yaml', `${webService()}${lister}\n${check}\n`)
    const only = ['--only', 'a.list#1 slow_answer']
    const { code, stderr, cases } = await reportOf(['--system', file, ...only])
    expect(code, stderr).toBe(1)
    expect(cases).toMatchObject([
      { verdict: 'false_success', evidence: expect.stringContaining('a job is lost') },
    ])
  })

  it('runs as many of a service as --scale says', async () => {
    const ids = join(folder, 'scaled')
    const file = written('scaled.yaml', `${webService(ids)}${lister}\n`)
    const only = ['--only', 'a.list#1 unavailable']
    expect(await explore('--system', file, '--scale', 'web=2', ...only)).toMatchObject({ code: 0 })
    const pids = readFileSync(ids, 'utf8').trim().split('\n')
    const { length: single } = await pidsOfOne(only)
    expect(pids).toHaveLength(2 * single)
  })

  it('runs its check when the service that was killed is there again, although the driver ends at once', async () => {
    const caller = written(
      'caller.mjs',
      `import { createServer } from 'node:http'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
createServer(async (request, response) => {
  if (request.url === '/list') await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
  response.end('here')
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
    )
    const asks = (path: string) => `[node, -e, "fetch('http://127.0.0.1:{port.web}${path}')"]`
    const service = `services:\n  web:\n    command: node ${caller} {port.web}\n    ready: tcp\n`
    const file = written('away.yaml', `${service}driver: ${asks('/list')}\ncheck: ${asks('/')}\n`)
    const only = ['--restarts', '--only', 'a.list#1 killed_before']
    const { restarts, stderr } = await reportOf(['--system', file, '--without-result', ...only])
    expect(restarts, stderr).toMatchObject([
      { evidence: expect.stringContaining('in the driver an uncaught error ended it') },
    ])
    expect(restarts[0]?.evidence).not.toContain('check')
  })

  it('keeps a tied part beside while the next one takes long to start', async () => {
    const late = `[sh, -c, "sleep 2; exec node ${web} {port.late}"]`
    const beside = `  early:\n    command: node ${web} {port.early}\n    ready: tcp\n    beside: true
  late:\n    command: ${late}\n    ready: tcp\n    beside: true\n`
    const asks = `driver: [sh, -c, "node ${driver} && node -e \\"fetch('http://127.0.0.1:{port.early}')\\""]`
    const file = written('late.yaml', `services:\n${beside}${asks}\n`)
    const only = ['--time', 'virtual', '--only', 'a.list#1 slow_answer']
    const { code, stdout, stderr } = await explore('--system', file, ...only)
    expect(code, stdout + stderr).toBe(0)
  })

  it('is refused when the service that is to be killed makes no call', async () => {
    const file = written('idle.yaml', `${webService()}${lister}\n`)
    const { code, stderr } = await explore('--system', file, '--kill', 'web')
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'kill: web makes no call of the gateway at which it could be killed; driver did undisturbed',
      ),
    ])
  })

  it('says how long its services took to be ready, and which run took longest', async () => {
    const file = written('timed.yaml', `${webService()}${lister}\n`)
    const { stdout, stderr } = await explore('--system', file, '--only', 'a.list#1 unavailable')
    const seconds = String.raw`\d+\.\d s`
    const all = `The run shown took (${seconds}) of wall time, (${seconds}) of it until their services were ready`
    const [, run = '', ready = ''] =
      new RegExp(`${all}; the longest: a\\.list#1 unavailable \\1\\.`).exec(stdout) ?? []
    expect(Number.parseFloat(ready), stdout + stderr).toBeLessThanOrEqual(Number.parseFloat(run))
  })
})

async function pidsOfOne(only: readonly string[]): Promise<string[]> {
  const ids = join(folder, 'single')
  const file = written('single.yaml', `${webService(ids)}${lister}\n`)
  expect(await explore('--system', file, ...only)).toMatchObject({ code: 0 })
  return readFileSync(ids, 'utf8').trim().split('\n')
}

it.runIf(process.platform === 'linux')(
  'a service that tells nothing of what ran is ended at once, and not asked for it, although its files are known for the next time',
  async () => {
    const notes = join(folder, 'deaf')
    const services = `services:\n  deaf:\n    command: sh ${deaf} ${notes}\n    ready: started\n`
    const file = written('deaf.yaml', `${services}${lister}\n`)
    const only = ['--only', 'a.list#1 unavailable', '--out', join(folder, 'deaf-out')]
    expect(await explore('--system', file, ...only)).toMatchObject({ code: 0 })
    expect(new Set(readFileSync(notes, 'utf8').trim().split('\n'))).toEqual(new Set(['started']))
  },
)

it.each(['real', 'virtual'] as const)(
  'of a system in %s time it is known by the clock of its calls when its driver ended, where nothing else tells it',
  async time => {
    const emulator = await startForTest({})
    const world = await emulator.openWorld({ clock: time === 'real' ? 'auto' : 'manual' })
    const file = written('ended.yaml', `${webService()}${lister}\n`)
    const { signal } = new AbortController()
    const limits = { name: 'a test', limitMs: 500_000, signal, time }
    const { system } = await systemSubject(readSystemFile(file), process.env).run(world, limits)
    const [call] = await world.requests.list()
    const startedMs = call?.started_ms ?? Number.NaN
    expect(startedMs).toBeGreaterThan(0)
    expect((system?.driverEndedMs ?? 0) >= startedMs).toBe(time === 'real')
  },
)

describe.runIf(process.platform === 'linux')('nothing of a system is left', () => {
  /** Their folders lie apart: another exploration that begins at the same time would clean them first. */
  const own = { TMPDIR: folder }

  /** Starts an exploration whose driver waits for ever in its case, and goes on when the services of that case run. */
  async function hanging(name: string, node = 'node') {
    const ids = join(folder, name)
    const file = written(`${name}.yaml`, `${webService(ids, node)}driver: node ${driver} hangs\n`)
    const args = [main, 'explore', '--system', file, '--time', 'real', '--only', 'a.list#1 unavailable']
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...own },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const pids = () => (existsSync(ids) ? readFileSync(ids, 'utf8').trim().split('\n').map(Number) : [])
    // The undisturbed run is played first: what still runs when it has ended is of the case.
    await expect.poll(() => pids().length > 1 && pids().some(isAlive), { timeout: 60_000 }).toBe(true)
    return { child, ended, pids, file }
  }

  it('after Ctrl-C', async () => {
    const { child, ended, pids } = await hanging('interrupted')
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    expect(pids().filter(isAlive)).toEqual([])
  }, 60_000)

  it.each([
    ['killed', 'node'],
    // Redis and PostgreSQL write their title over it.
    ['veiled', `env -i ${process.execPath}`],
  ])(
    'after kill -9 of explore, once another exploration has begun, which says so (%s: a service by %s)',
    async (name, node) => {
      const { child, ended, pids } = await hanging(name, node)
      child.kill('SIGKILL')
      await ended
      expect(pids().some(isAlive)).toBe(true)
      const file = written('next.yaml', `${webService()}${lister}\n`)
      const next = ['explore', '--system', file, '--only', 'a.list#1 unavailable']
      const { stdout, stderr } = await runCommand(next, own)
      expect(stdout + stderr).toMatch(
        /an exploration of \S+ had been killed: \d+ processes were ended, and its folders/,
      )
      expect(pids().filter(isAlive)).toEqual([])
    },
    60_000,
  )
})
