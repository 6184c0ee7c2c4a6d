import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readOptions } from '../../src/emulator/options/config.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { optionRows, standardOptions } from '../../src/emulator/options/table.ts'
import { assembleEmulator } from '../../src/emulator/server/emulator.ts'
import { ownFolder } from '../support/folders.ts'

const read = (args: string[] = [], environment: Record<string, string> = {}) =>
  readOptions(args, {}, environment).options

/** A file of options with this text. */
function fileWith(text: string, name = 'options.yaml'): string {
  const file = join(ownFolder(), name)
  writeFileSync(file, text)
  return file
}

describe('each option', () => {
  const values: Record<string, [text: string, value: unknown]> = {
    port: ['0', 0],
    host: ['0.0.0.0', '0.0.0.0'],
    'public-url': ['https://gateway.example/', 'https://gateway.example'],
    data: ['./here', './here'],
    fsync: ['true', true],
    clock: ['60x', { mode: 'realtime', rate: 60 }],
    now: ['2026-03-01T08:00:00Z', 1_772_352_000_000],
    seed: ['7', 7],
    scenario: ['happy-path', ['happy-path']],
    auth: ['open', 'open'],
    inputs: ['all', 'all'],
    links: ['upstream', 'upstream'],
    'unknown-model': ['not_found', 'not_found'],
    'prompt-tags': ['off', 'off'],
    cors: ['any', 'any'],
    tls: ['self', 'self'],
    strict: ['true', true],
    log: ['silent', 'silent'],
    'request-log': ['off', false],
    'max-worlds': ['5', 5],
    'max-body-bytes': ['4096', 4096],
    'media-cache-bytes': ['2000000', 2_000_000],
    codecs: ['upstream', 'upstream'],
  }

  it('has a value in this table', () => {
    expect(Object.keys(values).sort()).toEqual(optionRows.map(({ flag }) => flag).sort())
  })

  it.each(optionRows.map(row => [row.flag, row] as const))(
    '--%s reads its value from flag, variable and file',
    async (flag, row) => {
      const [text = '', value] = values[flag] ?? []
      const isSwitch = row.row[0] === ''
      expect(read(isSwitch ? [`--${flag}`] : [`--${flag}`, text])[row.key]).toEqual(value)
      expect(read([`--${flag}=${text}`])[row.key]).toEqual(value)
      expect(read([], { [`GATEWAY_EMULATOR_${row.environment}`]: text })[row.key]).toEqual(value)
      expect(row.environment).toBe(flag.toUpperCase().replaceAll('-', '_'))
      const file = fileWith(JSON.stringify({ [flag]: text }), 'options.json')
      expect(read(['--config', file])[row.key]).toEqual(value)
      expect(read([], { GATEWAY_EMULATOR_CONFIG: file })[row.key]).toEqual(value)
    },
  )
})

it('flag beats environment beats file beats default, option by option', async () => {
  const file = fileWith('seed: 2\nport: 2\nhost: two\n')
  const environment = { GATEWAY_EMULATOR_SEED: '3', GATEWAY_EMULATOR_PORT: '3' }
  expect(read(['--config', file, '--seed', '4'], environment)).toMatchObject({
    seed: 4,
    port: 3,
    host: 'two',
    links: standardOptions.links,
  })
})

it('a repeated flag has its last value, and repeated scenarios are all kept', () => {
  expect(read(['--seed', '1', '--seed', '2']).seed).toBe(2)
  expect(read(['--scenario', 'a', '--scenario=b']).scenarios).toEqual(['a', 'b'])
  expect(read([], { GATEWAY_EMULATOR_SCENARIO: 'a,b' }).scenarios).toEqual(['a', 'b'])
})

it('other variables and empty ones are ignored', () => {
  expect(read([], { PATH: '/bin', GATEWAY_EMULATOR_SEED: '', FFMPEG_PATH: '/x/ffmpeg' })).toMatchObject({
    seed: 1,
    ffmpegPath: '/x/ffmpeg',
  })
})

it('models, prices and keys of accounts are read from the file', async () => {
  const file = fileWith(
    'models:\n  my-video: model_a_25\nprices:\n  model_b.per_second: 2\naccounts: { shop: { keys: { web: {} } } }\n',
  )
  expect(read(['--config', file])).toMatchObject({
    models: { 'my-video': 'model_a_25' },
    prices: { 'model_b.per_second': 2 },
    accounts: { shop: { keys: { web: {} } } },
  })
})

it.each([
  ['{ shop: [web] }', /accounts in .* must map names to keys by their label, such as/],
  ['{ shop: { keys: { web: { enabled: true } } } }', /must map names to keys/],
  ['{ shop: { kees: {} } }', /must map names to keys/],
  ['{ shop: { keys: { "a b": {} } } }', /accounts in .*: "a b" is no name: 1 to 64 letters/],
  ['{ a.b: { keys: {} } }', /"a\.b" is no name/],
])('refuses keys of accounts that are not possible: %s', async (accounts, message) => {
  const file = fileWith(`accounts: ${accounts}\n`)
  expect(() => read(['--config', file])).toThrow(message)
})

it('a key without a value sets no option, nor does a file with only comments', async () => {
  const file = fileWith('data:\nscenario: ~\nnow: null\nmodels:\nport: 1\n')
  expect(read(['--config', file])).toEqual({ ...read(), port: 1 })
  writeFileSync(file, '# port: 1\n')
  expect(read(['--config', file])).toEqual(read())
})

describe('a mistake is reported with the value, the allowed values, and the nearest known word', () => {
  it.each([
    [['--sede', '1'], 'Unknown option --sede; did you mean --seed?'],
    [['--zzzzzzzzzz'], 'Unknown option --zzzzzzzzzz'],
    [['--port', 'x'], '--port: "x" is not an integer from 0 to 65535'],
    [['--port', ''], '--port: "" is not an integer'],
    [['--port', '-1'], '--port: "-1" is not an integer'],
    [['--inputs', 'non'], '--inputs: "non" is not one of none, loopback, all; did you mean none?'],
    [['--clock', 'atuo'], 'did you mean auto?'],
    [['--clock', '0x'], '--clock: "0x" is not realtime, manual, auto, or a rate such as 60x'],
    [['--public-url', 'gateway.example'], '--public-url: "gateway.example" is not an http or https address'],
    [['--host', ''], '--host: must not be empty'],
    [['--strict=maybe'], '--strict: "maybe" is not one of on, off, true, false'],
    [['--strict='], '--strict: "" is not one of on, off, true, false'],
    [['--config='], '--config: must not be empty'],
    [['--seed'], '--seed needs a value'],
    [['--now', '9999999999999999'], '--now: 9999999999999999 is outside the range of virtual time'],
  ])('%j: %s', (args, message) => {
    expect(() => read(args)).toThrow(UsageError)
    expect(() => read(args)).toThrow(message)
  })

  it.each([
    ['sede: 7', 'Unknown key sede'],
    ['seed: x', 'seed in'],
    ['- seed', 'must hold one mapping'],
    ['seed: [1', ':'],
    ['models: [a]', 'must map names to strings'],
    ['prices: { a: dear }', 'must map names to numbers'],
    ['prices: { model_b.per_second: -1 }', 'must map names to numbers of 0 or more'],
    ['prices: { model_b.per_secnd: 1 }', 'did you mean model_b.per_second?'],
    ['models: { mine: model_a_26 }', '"model_a_26" is not one of model_a_20, '],
    ['clock: { mode: manual }', '{"mode":"manual"} is not a plain value'],
    ['port: [1, 2]', '[1,2] is not a plain value'],
    ['scenarios: [{ name: mine }]', '{"name":"mine"} is not a plain value'],
  ])('the file %j: %s', async (content, message) => {
    const file = fileWith(content)
    expect(() => read(['--config', file])).toThrow(UsageError)
    expect(() => read(['--config', file])).toThrow(message)
    expect(() => read(['--config', file])).toThrow(file)
  })

  it('variables that programs are given set no option and are not refused', () => {
    for (const name of 'URL TRACES PROGRAM KEY WORLD CASE STATE AS TIME TIED DIES'.split(' '))
      expect(readOptions([], {}, { [`GATEWAY_EMULATOR_${name}`]: 'x' }).given.size, name).toBe(0)
  })

  it('a message names a variable in full', () => {
    expect(() => read([], { GATEWAY_EMULATOR_LINK: 'relayed' })).toThrow(
      'did you mean GATEWAY_EMULATOR_LINKS?',
    )
    expect(() => read([], { GATEWAY_EMULATOR_PORT: 'x' })).toThrow('GATEWAY_EMULATOR_PORT: "x"')
  })
})

it('fsync without data is said to have no effect, and with data nothing is said (docs/command-line.md)', async () => {
  const saidWith = async (options: { data?: string }) => {
    const info = vi.fn()
    const emulator = await assembleEmulator({ fsync: true, ...options, logger: { info, error: vi.fn() } })
    await emulator.close()
    return info.mock.calls
  }
  expect(await saidWith({ data: ownFolder() })).toEqual([])
  expect(await saidWith({})).toEqual([
    [{ warning: 'fsync' }, 'fsync has no effect without data: worlds are in memory only'],
  ])
})
