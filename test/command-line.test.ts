import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand, startProcess } from './support/emulator-process.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { temporaryDirectory } from './support/open-for-test.ts'

describe('wrong usage is exit code 2 and names the nearest (interface, "Command line")', () => {
  it.each([
    [['--prot', '1'], {}, '--port'],
    [['--inputs', 'lopback'], {}, 'loopback'],
    [['--scenario', 'hapy-path'], {}, 'happy-path'],
    [['sevre'], {}, 'serve'],
    [['serve', 'extra'], {}, 'extra'],
    [['doctor', 'extra'], {}, 'extra'],
    [['scenarios', 'list', 'extra'], {}, 'extra'],
    [['tour', '--base-ulr', 'x'], {}, '--base-url'],
    [[], { GATEWAY_EMULATOR_PROT: '1' }, 'GATEWAY_EMULATOR_PORT'],
    [['--config', '/nowhere.yaml'], {}, '/nowhere.yaml'],
  ])(
    '%j %j → %s',
    async (args, environment, hint) => {
      const { code, stderr, stdout } = await runCommand(args, environment)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(hint)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
    30_000,
  )

  it('a wrong key or value in a config file names the file and the nearest', async () => {
    const file = join(await temporaryDirectory(), 'emulator.yaml')
    await writeFile(file, 'sede: 7\n')
    const { code, stderr } = await runCommand(['--config', file])
    expect(code).toBe(2)
    expect(stderr).toContain(file)
    expect(stderr).toContain('did you mean seed?')
  }, 30_000)
})

it('flag beats environment beats file beats default (interface, "Command line")', async () => {
  const file = join(await temporaryDirectory(), 'emulator.yaml')
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
}, 30_000)

it('doctor says which programs are used, and help lists every option (interface, "Command line")', async () => {
  const doctor = await runCommand(['doctor'])
  expect(doctor.code).toBe(0)
  expect(doctor.stdout).toMatch(/ffmpeg +(bundled|system|configured), version/)
  expect(doctor.stdout).toMatch(/ffprobe +(bundled|system|configured), version/)
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
}, 60_000)

it('tour walks create, poll and download, and says what it saw', async () => {
  const { code, stdout, stderr } = await runCommand(['tour'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Everything answered as it should.')
  expect(stdout).toMatch(/bytes of video\/mp4/)
}, 60_000)

it('openapi prints the document as JSON', async () => {
  const { code, stdout } = await runCommand(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).openapi).toBe('3.1.0')
}, 30_000)

it('health finds an emulator by its address or by the same environment, behind a certificate of its own too (interface, "Command line")', async () => {
  const { url } = await startProcess(['--tls', 'self', '--host', '0.0.0.0'])
  const { port } = new URL(url)
  const environment = {
    GATEWAY_EMULATOR_TLS: 'self',
    GATEWAY_EMULATOR_HOST: '0.0.0.0',
    GATEWAY_EMULATOR_PORT: port,
  }
  for (const asked of [
    await runCommand(['health', '--wait', '5s', '--base-url', `${url}/`]),
    await runCommand(['health'], environment),
  ]) {
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout).status).toBe('ok')
  }
  const nobody = await runCommand(['health'], { GATEWAY_EMULATOR_PORT: port })
  expect(nobody).toMatchObject({ code: 1, stdout: '' })
  expect((await runCommand(['health', '--base-url', 'localhost:8585'])).code).toBe(2)
}, 60_000)
