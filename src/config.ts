import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type OptionRow, optionRows } from './option-rows.ts'
import { hint, UsageError } from './usage-error.ts'
import type { ClockMode } from './worlds/clock.ts'

/** Everything that can be set from outside, resolved. */
export interface Options {
  port: number
  host: string
  publicUrl?: string
  data?: string
  fsync: boolean
  clock: { mode: ClockMode; rate: number }
  /** Virtual time at which worlds open, epoch ms; absent = the wall clock. */
  now?: number
  seed: number
  scenarios: readonly string[]
  auth: 'keys' | 'open'
  inputs: 'none' | 'loopback' | 'all'
  links: 'relayed' | 'upstream'
  tls?: string
  strict: boolean
  log: 'pretty' | 'json' | 'silent'
  maxWorlds: number
  /** Largest request body, bytes. */
  maxBodyBytes: number
  /** Size limit of the rendered-media cache, bytes. */
  mediaCacheBytes: number
  codecs: 'browser' | 'upstream'
  ffmpegPath?: string
  ffprobePath?: string
  /** Models added by a config file: alias → published neutral id. */
  models: Readonly<Record<string, string>>
  /** Prices by key of `fixtures/prices.json`, overriding them. */
  prices: Readonly<Record<string, number>>
}

const prefix = 'GATEWAY_EMULATOR_'

/** The options when nothing is said anywhere. */
export const standardOptions: Options = {
  port: 8585,
  host: '127.0.0.1',
  fsync: false,
  clock: { mode: 'realtime', rate: 1 },
  seed: 1,
  scenarios: [],
  auth: 'keys',
  inputs: 'loopback',
  links: 'relayed',
  strict: false,
  log: 'silent',
  maxWorlds: 1000,
  maxBodyBytes: 64 * 1024 * 1024,
  mediaCacheBytes: 1024 * 1024 * 1024,
  codecs: 'browser',
  models: {},
  prices: {},
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Options from arguments, environment and config file: flag beats environment beats file beats default.
 * Gives what is left of the arguments too. Throws UsageError, naming the nearest valid name.
 */
export function readOptions(
  args: readonly string[],
  environment: Environment = process.env,
): { options: Options; rest: string[] } {
  const { values, rest } = readFlags(args)
  const found = new Map<string, unknown>()
  const file = values.get('config')?.[0] ?? environment[`${prefix}CONFIG`]
  if (file) for (const [key, value] of readConfigFile(file)) found.set(key, value)
  for (const [key, value] of readEnvironment(environment)) found.set(key, value)
  for (const row of optionRows) {
    const texts = values.get(row.flag)
    if (texts) found.set(row.key, parse(row, texts, `--${row.flag}`))
  }
  const log = process.stdout.isTTY ? 'pretty' : 'json'
  const paths = { ffmpegPath: environment.FFMPEG_PATH, ffprobePath: environment.FFPROBE_PATH }
  for (const [key, value] of Object.entries(paths)) if (value) found.set(key, value)
  return { options: { ...standardOptions, log, ...Object.fromEntries(found) } as Options, rest }
}

function readFlags(args: readonly string[]): { values: Map<string, string[]>; rest: string[] } {
  const values = new Map<string, string[]>()
  const rest: string[] = []
  const flags = [...optionRows.map(row => row.flag), 'config']
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (!arg.startsWith('--')) {
      rest.push(arg)
      continue
    }
    const [name = '', inline] = arg.slice(2).split(/=(.*)/s)
    if (!flags.includes(name)) throw new UsageError(`Unknown option --${name}${hint(name, flags, '--')}`)
    const isSwitch = optionRows.some(row => row.flag === name && row.value === undefined)
    const text = inline ?? (isSwitch ? 'true' : args[++i])
    if (text === undefined) throw new UsageError(`--${name} needs a value`)
    values.set(name, [...(values.get(name) ?? []), text])
  }
  return { values, rest }
}

function readEnvironment(environment: Environment): [string, unknown][] {
  const known = [...optionRows.map(row => row.environment), 'CONFIG']
  const found: [string, unknown][] = []
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || text === undefined || text === '') continue
    const short = name.slice(prefix.length)
    if (!known.includes(short)) throw new UsageError(`Unknown variable ${name}${hint(short, known, prefix)}`)
    const row = optionRows.find(({ environment: own }) => own === short)
    if (row) found.push([row.key, parse(row, row.repeatable ? text.split(',') : [text], name)])
  }
  return found
}

/** A config file's keys: the flags' names (also in camelCase), `models` and `prices`. */
function readConfigFile(path: string): [string, unknown][] {
  const content = parseFile(path)
  const found: [string, unknown][] = []
  for (const [name, value] of Object.entries(content)) {
    if (name === 'models' || name === 'prices') {
      found.push([name, readTable(value, name, name === 'models' ? 'string' : 'number', path)])
      continue
    }
    const row = optionRows.find(({ flag, key }) => name === flag || name === key || name === `${flag}s`)
    const names = [...optionRows.map(({ flag }) => flag), 'models', 'prices']
    if (!row) throw new UsageError(`Unknown key ${name} in ${path}${hint(name, names)}`)
    found.push([
      row.key,
      parse(row, (Array.isArray(value) ? value : [value]).map(String), `${name} in ${path}`),
    ])
  }
  return found
}

function parseFile(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
  const yaml: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  try {
    const content: unknown = yaml.parse(text)
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : error}`)
  }
  throw new UsageError(`${path} must hold one mapping of options`)
}

function readTable(
  value: unknown,
  name: string,
  type: 'string' | 'number',
  path: string,
): Record<string, unknown> {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined
  if (!entries?.every(([, entry]) => typeof entry === type))
    throw new UsageError(`${name} in ${path} must map names to ${type}s`)
  return Object.fromEntries(entries)
}

function parse(row: OptionRow, texts: readonly string[], where: string): unknown {
  try {
    const last = texts.at(-1) ?? ''
    return row.repeatable ? texts.map(text => row.read(text)) : row.read(last)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${where}: ${error.message}`)
    throw error
  }
}
