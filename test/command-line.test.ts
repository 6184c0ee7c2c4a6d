import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { flagRowsOf, runCommandLine } from '../src/cli/commands/command-line.ts'
import { commandNames } from '../src/cli/commands/help.ts'
import { greeting } from '../src/cli/commands/serve.ts'
import { runCommand, startProcess } from './support/emulator-process.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { ownFolder } from './support/folders.ts'
import { openGateway } from './support/gateway.ts'
import { startInputServer } from './support/input-server.ts'
import type { Ended } from './support/run.ts'

afterEach(() => void vi.unstubAllEnvs())

/** Calls the function that the program calls, and gives what the program would print. */
async function calledHere(args: string[]): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation(text => {
      said[name] += String(text)
      return true
    })
  try {
    return { code: await runCommandLine(args), ...said }
  } finally {
    vi.restoreAllMocks()
  }
}

function expectWrongUsage({ code, stdout, stderr }: Ended, hint: string): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(hint)
  expect(stderr.trim().split('\n')).toHaveLength(1)
}

describe('wrong usage is exit code 2, with the nearest known word', () => {
  /** Programs of their own: an option, a command, an argument, a variable and a file. */
  it.each([
    [['--prot', '1'], {}, '--port'],
    [['sevre'], {}, 'serve'],
    [['doctor', 'extra'], {}, 'extra'],
    [[], { GATEWAY_EMULATOR_PROT: '1' }, 'GATEWAY_EMULATOR_PORT'],
    [['--config', '/nowhere.yaml'], {}, '/nowhere.yaml'],
  ])('%j %j → %s', async (args, environment, hint) => {
    expectWrongUsage(await runCommand(args, environment), hint)
  })

  /** The same function as that of the program, called here: to start a program takes longer than all of them. */
  it.each([
    [['--inputs', 'lopback'], 'loopback'],
    [['--scenario', 'hapy-path'], 'happy-path'],
    [['serve', 'extra'], 'extra'],
    [['scenarios', 'list', 'extra'], 'extra'],
    [['tour', '--base-ulr', 'x'], '--base-url'],
    [['explore', '--onyl', 'x', '--', 'true'], '--only'],
    [['record', '--upsteram', 'x'], '--upstream'],
    [['compare', '--reprot', 'x'], '--report'],
    [['compare', 'a.har', '--report', 'josn'], 'json'],
    [['requests', '--harr'], '--har'],
    [['failures', '--jsno'], '--json'],
    [['scenarios', 'check', '--dry-rnu', 'x.yaml'], '--dry-run'],
    [['scenarios', 'chekc'], 'check'],
    [['selfcheck', '--olny', 'a'], '--only'],
    [['mcp', '--base-ulr', 'x'], '--base-url'],
    [['openapi', '--contorl'], '--control'],
    [['-port', '1'], '--port'],
    [['--host', '--port', '1'], '--host needs a value'],
    [['selfcheck', '--yes=maybe'], '--yes'],
    [['health', '--prot', '1'], '--port'],
    [['health', '--base-url', 'localhost:1'], 'localhost:1'],
    [['failures', '--operation', 'nosuch'], '--operation: "nosuch" is not one of a.create, '],
    [['run', '--as', 'a.example', '--env', 'DIR={state}', '--', 'true'], '--env: {state}'],
    [['explore', '--need', 'outage', '--', 'true'], '"outage" is not one of outage=TIME, '],
    [['explore', '--model-alias', 'x=y', '--', 'true'], '"y" is not one of model_a_20, '],
    [['selfcheck', '--models', 'model_a_26=mine'], '--models: "model_a_26" is not one of model_a_20, '],
    [['selfcheck', '--only', 'no-such-rule'], `--only: no rule's id begins with "no-such-rule"`],
    [['trace', '--json', '--out', 'run.html'], '--json with --out needs a name that ends in .json'],
  ])('%j → %s', async (args, hint) => {
    expectWrongUsage(await calledHere(args), hint)
  })

  it('a wrong key or value in a config file gives the file and the nearest known word', async () => {
    const file = join(ownFolder(), 'emulator.yaml')
    await writeFile(file, 'sede: 7\n')
    const { code, stderr } = await runCommand(['--config', file])
    expect([code, stderr]).toEqual([2, expect.stringContaining(file)])
    expect(stderr).toContain('did you mean seed?')
  })
})

describe('a server that cannot start ends at once with a message that says what to do', () => {
  it('when its port is taken by an emulator, which is described', async () => {
    const emulator = await startProcess([])
    const { port } = new URL(emulator.url)
    await emulator.call('PATCH', '/__emulator/worlds/ci-7/clock', { mode: 'manual' })
    const { code, stderr } = await runCommand(['--port', port])
    expect(code).toBe(1)
    const since = String.raw`since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
    const facts = String.raw`version \S+, process ${emulator.pid}, ${since}, worlds default, ci-7`
    expect(stderr).toMatch(
      new RegExp(
        `Port ${port} of 127.0.0.1 is taken by an emulator \\(${facts}\\): use that one at ${emulator.url}, end it, or .*--port 0`,
      ),
    )
  })

  it('when its port is taken by another program, which is not called an emulator', async () => {
    const page = await startInputServer((_request, response) => response.writeHead(404).end('<html>'))
    const greeting = createServer(socket => void socket.on('error', () => {}).end('SSH-2.0-x\r\n'))
    await new Promise<void>(resolve => greeting.listen(0, '127.0.0.1', resolve))
    const { port } = greeting.address() as AddressInfo
    for (const [taken, said] of [
      [
        new URL(page.origin).port,
        'a program that does not answer as an emulator does (it answers 404): choose',
      ],
      [String(port), 'a program that does not answer as an emulator does: choose'],
    ] as const) {
      const { code, stderr } = await calledHere(['--port', taken])
      expect(code).toBe(1)
      expect(stderr).toContain(`Port ${taken} of 127.0.0.1 is taken by ${said}`)
    }
    await page.close()
    greeting.close()
  })

  it('when its address is not one of this machine', async () => {
    const { code, stderr } = await runCommand(['--port', '0', '--host', '203.0.113.9'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--host')])
  })

  it('when its data directory cannot be made', async () => {
    const file = join(ownFolder(), 'file')
    await writeFile(file, '')
    const places = [file, join(file, 'a', 'b'), ...(process.platform === 'linux' ? ['/proc/a/b'] : [])]
    for (const place of places) {
      const { code, stderr } = await runCommand(['--port', '0', '--data', place])
      expect(code, place).toBe(1)
      expect(stderr).toContain(`Cannot use the data directory "${place}"`)
    }
  })

  it.each([
    [[], '--data DIR'],
    [['tour'], '--data DIR'],
    [['record', '--upstream', 'http://127.0.0.1:9', '--out', '/nowhere/x.har'], 'tmpfs'],
  ])('when no temporary file can be made, since every result would be a 500: %j', async (args, advice) => {
    const file = join(ownFolder(), 'file')
    await writeFile(file, '')
    const { code, stdout, stderr } = await runCommand(args, { TMPDIR: file })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`No file can be made in the folder for temporary files, ${file} (ENOTDIR`)
    expect(stderr).toContain(advice)
  })

  it('and doctor says so; with a data directory it starts, and files are served', async () => {
    const folder = ownFolder()
    const file = join(folder, 'file')
    await writeFile(file, '')
    const doctor = await runCommand(['doctor'], { TMPDIR: file })
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringContaining(
        `files    in ${file}, which cannot be written, so that no emulator starts: ENOTDIR`,
      ),
    ])
    const data = join(folder, 'data')
    expect((await runCommand(['doctor', '--data', data], { TMPDIR: file })).code).toBe(0)
    const { url } = await startProcess(['--clock', 'auto', '--data', data], { TMPDIR: file })
    const tour = await runCommand(['tour', '--base-url', url], { TMPDIR: file })
    expect([tour.code, tour.stderr]).toEqual([1, expect.stringMatching(/could not be saved: ENOTDIR.*--out/)])
    expect(tour.stdout).toContain('bytes of video/mp4')
  })

  it('when Node is too old, because an old parser can read the first file', async () => {
    const source = await readFile(new URL('../dist/main.js', import.meta.url), 'utf8')
    const imported = [...source.matchAll(/(?:import|from)\s*"([^"]+)"|from\s*'([^']+)'/g)]
    expect(new Set(imported.map(([, double, single]) => double ?? single))).toEqual(new Set(['node:module']))
    const old =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
    const { code, stderr } = await runCommand([], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'gateway-emulator: needs Node 20.19 or newer, and this is Node 18.20.4\n',
    })
  })
})

it('flag beats environment beats file beats default', async () => {
  const file = join(ownFolder(), 'emulator.yaml')
  await writeFile(
    file,
    'seed: 3\nclock: auto\nnow: 2026-05-01T00:00:00Z\nprices: { model_a_25.per_million_tokens: 1000 }\n',
  )
  const environment = { GATEWAY_EMULATOR_SEED: '4', GATEWAY_EMULATOR_CLOCK: 'manual' }
  const emulator = await startProcess(['--config', file, '--seed', '5'], environment)
  const { body } = await emulator.call('GET', '/__emulator/worlds/default')
  expect(body).toMatchObject({
    seed: 5,
    clock: { mode: 'manual', rate: 1 },
    opened_at: '2026-05-01T00:00:00.000Z',
  })
  await emulator.call('POST', tasksPath, textBody())
  expect((await emulator.call('GET', '/__emulator/ledger')).body.items[0].amount).toBe(108.9)
})

it('a tour whose key is refused does not blame the programs of the emulator', async () => {
  const { url } = await openGateway()
  const { code, stderr } = await calledHere(['tour', '--base-url', url, '--key', 'sk'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/answered 401: .*no such key/)])
  expect(stderr).not.toContain('doctor')
})

describe('health uses the same options as serve', () => {
  it('with TLS, for any certificate, with and without the option --tls', async () => {
    const emulator = await startProcess(['--host', '0.0.0.0'], { GATEWAY_EMULATOR_TLS: 'self' })
    const { protocol, port } = new URL(emulator.url)
    expect(protocol).toBe('https:')
    const environment = { GATEWAY_EMULATOR_PORT: port, GATEWAY_EMULATOR_HOST: '0.0.0.0' }
    for (const [args, more] of [
      [[], { ...environment, GATEWAY_EMULATOR_TLS: 'self' }],
      [['--port', port, '--tls', 'self', '--wait', '10s'], {}],
      [['--port', port, '--tls', 'self', '--wait', '1h'], {}],
      // As in a container whose TLS was asked for on its command line.
      [[], environment],
      [['--base-url', `${emulator.url}/`], {}],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(['health', ...args], more)
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout).status).toBe('ok')
    }
  })

  it('without TLS, with exit code 1 when another program listens there', async () => {
    const emulator = await startProcess([])
    const { port } = new URL(emulator.url)
    expect((await runCommand(['health', '--port', port])).code).toBe(0)
    const { code, stderr } = await runCommand(['health', '--port', port, '--tls', 'self'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `No emulator answers at https://127.0.0.1:${port}\n`,
    })
  })
})

describe('a client command asks the emulator that GATEWAY_EMULATOR_URL names, unless a flag names another', () => {
  it('health, requests, trace and tour', async () => {
    const { url, control } = await openGateway()
    const { port } = new URL(url)
    await control('PATCH', '/clock', { mode: 'auto' })
    vi.stubEnv('GATEWAY_EMULATOR_URL', url)
    expect(JSON.parse((await calledHere(['health'])).stdout).pid).toBe(process.pid)
    expect((await calledHere(['tour'])).stdout).toContain(`Base address ${url}, key`)
    expect((await calledHere(['requests'])).stdout).toContain('(a.create)')
    expect((await calledHere(['trace'])).stdout).toContain('a.create')
    expect(await calledHere(['health', '--base-url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      stderr: 'No emulator answers at http://127.0.0.1:9\n',
    })
    vi.stubEnv('GATEWAY_EMULATOR_URL', 'http://127.0.0.1:9')
    expect((await calledHere(['health', '--port', port])).code).toBe(0)
    expect((await calledHere(['health'])).stderr).toBe('No emulator answers at http://127.0.0.1:9\n')
  })

  it('health says what another program answers there, and which value is no address', async () => {
    const page = await startInputServer((_request, response) => response.end('{"status":"ok"}'))
    vi.stubEnv('GATEWAY_EMULATOR_URL', page.origin)
    expect(await calledHere(['health'])).toMatchObject({
      code: 1,
      stderr: `${page.origin} answers, and not as an emulator: 200\n`,
    })
    await page.close()
    vi.stubEnv('GATEWAY_EMULATOR_URL', 'nonsense')
    expectWrongUsage(await calledHere(['health']), 'GATEWAY_EMULATOR_URL: "nonsense"')
  })
})

describe('with --tls self', () => {
  it('the request of the start screen works when it is pasted, and so does a client that trusts the certificate', async () => {
    const { url } = await startProcess(['--tls', 'self', '--public-url', 'https://gateway.example'])
    const folder = ownFolder()
    const screen = greeting(url, { tls: 'self' })
    const [, pasted = ''] = /^ {2}Try +([\s\S]+?)\n\n/m.exec(screen) ?? []
    const [, trusting = ''] = /^ {2}Trust +(.+?) +#/m.exec(screen) ?? []
    const sh = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder })
    expect((await sh(pasted)).stdout).toMatch(/^\{"id":"cgt-.*"to":"succeeded"/)
    await sh(trusting)
    expect((await sh(`curl -s --cacert gateway.pem ${url}/__emulator/clock`)).stdout).toContain('realtime')
    const { subjectAltName } = new X509Certificate(await readFile(join(folder, 'gateway.pem')))
    expect(subjectAltName).toContain('DNS:gateway.example')
  })

  it('without it, there is no certificate to trust', async () => {
    const { control } = await openGateway()
    const { status, body } = await control('GET', '/certificate.pem')
    expect([status, body.error.hint]).toEqual([404, 'the emulator was started without --tls self'])
  })
})

describe('a value that only the emulator can judge is wrong usage, too', () => {
  it.each([
    [['requests', '--limit', '0'], '--limit: 0 is too small'],
    [['requests', '--status', 'ok'], '--status: "ok" is not an integer'],
    [
      ['requests', '--operation', 'a.creat'],
      '--operation: "a.creat" is not a known operation (did you mean a.create?)',
    ],
    [['requests', '--since', 'noon'], '--since: "noon" is neither a moment nor'],
    [['requests', '--out', '/nowhere/run.txt'], '--out: ENOENT'],
    [['trace', '--trace-id', 'x'], '--trace-id: "x" is neither a trace id'],
    [['trace', '--out', '/nowhere/run.json'], '--out: ENOENT'],
  ])('%j → %s', async (args, hint) => {
    const { url } = await openGateway()
    expectWrongUsage(await calledHere([...args, '--url', url]), hint)
  })
})

it('record --help lists the arguments of that command alone', async () => {
  const { code, stdout } = await runCommand(['record', '--help'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('gateway-emulator record ')])
  expect(stdout).not.toContain('gateway-emulator tour')
  expect(stdout).not.toContain('--media-cache-bytes')
})

it('doctor lists the programs that are used, and help lists every option', async () => {
  const doctor = await runCommand(['doctor'])
  expect(doctor.code).toBe(0)
  expect(doctor.stdout).toMatch(/ffmpeg +(bundled|system|configured), version \S+ of \d{4}, /)
  // Nothing here uses it, so it must not be looked for.
  expect(doctor.stdout).not.toContain('ffprobe')
  const help = await runCommand(['--help'])
  expect(help.code).toBe(0)
  for (const flag of [
    'port',
    'host',
    'public-url',
    'data',
    'fsync',
    'clock',
    'now',
    'seed',
    'scenario',
    'auth',
    'inputs',
    'links',
    'config',
    'tls',
    'strict',
    'log',
  ])
    expect(help.stdout).toContain(`--${flag}`)
})

it('tour creates a task, polls it and downloads the file, and prints each step', async () => {
  const { code, stdout, stderr } = await runCommand(['tour'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('All replies were as expected.')
  expect(stdout).toMatch(/bytes of video\/mp4/)
})

it('openapi prints the document as JSON', async () => {
  const { code, stdout } = await runCommand(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).openapi).toBe('3.1.0')
})

describe('the help of each command', () => {
  it.each(commandNames)('%s lists its options, and knows each of them', async command => {
    const rows = Object.entries((await flagRowsOf(command)) ?? {})
    const help = await calledHere([command, '--help'])
    expect(help.code).toBe(0)
    for (const [flag, [value, standard, , times]] of rows)
      expect(help.stdout).toMatch(
        new RegExp(
          `${escaped(`--${flag} ${value}`.trim())} .*${times ? '; repeatable ' : ''}\\(${escaped(standard)}\\)`,
        ),
      )
    // An option that the command does not know is named before one that it knows and whose value is missing.
    const asked = await calledHere([command, ...rows.map(([flag]) => `--${flag}=`), '--no-such-option'])
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('Unknown option --no-such-option'),
    ])
  })
})

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
