import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { nearest } from './nearest.ts'
import type { ClockMode } from './worlds/clock.ts'
import { parseMoment, parseRate } from './worlds/clock.ts'

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

/** A wrong flag, variable or key; the command line turns it into exit code 2. */
export class UsageError extends Error {}

interface Row {
  flag: string
  environment: string
  key: keyof Options
  /** The words after the flag in the help; absent for switches. */
  value?: string
  standard: string
  meaning: string
  repeatable?: boolean
  read(text: string): unknown
}

const prefix = 'GATEWAY_EMULATOR_'

const choice =
  (...allowed: string[]) =>
  (text: string) => {
    if (!allowed.includes(text))
      throw new UsageError(`${shownText(text)} is not one of ${allowed.join(', ')}${hint(text, allowed)}`)
    return text
  }
const whole = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most)
    throw new UsageError(`${shownText(text)} is not a whole number from ${least} to ${most}`)
  return number
}
const flagValue = (text: string) => {
  if (['', 'true', '1', 'on', 'yes'].includes(text)) return true
  if (['false', '0', 'off', 'no'].includes(text)) return false
  throw new UsageError(`${shownText(text)} is not one of true, false`)
}
const plain = (text: string) => {
  if (text === '') throw new UsageError('must not be empty')
  return text
}

/** The one table of options: flag, environment name, default, meaning. */
export const optionRows: readonly Row[] = [
  {
    flag: 'port',
    environment: 'PORT',
    key: 'port',
    value: 'N',
    standard: '8585',
    meaning: 'port to listen on; 0 picks a free one',
    read: whole(0, 65535),
  },
  {
    flag: 'host',
    environment: 'HOST',
    key: 'host',
    value: 'ADDRESS',
    standard: '127.0.0.1',
    meaning: 'address to listen on',
    read: plain,
  },
  {
    flag: 'public-url',
    environment: 'PUBLIC_URL',
    key: 'publicUrl',
    value: 'URL',
    standard: "from the request's Host",
    meaning: 'base of result links',
    read: readUrl,
  },
  {
    flag: 'data',
    environment: 'DATA',
    key: 'data',
    value: 'DIR',
    standard: 'none: memory only',
    meaning: 'keep worlds and media in DIR, survive restarts and kill -9',
    read: plain,
  },
  {
    flag: 'fsync',
    environment: 'FSYNC',
    key: 'fsync',
    standard: 'off',
    meaning: 'with --data: survive a power cut too',
    read: flagValue,
  },
  {
    flag: 'clock',
    environment: 'CLOCK',
    key: 'clock',
    value: 'MODE',
    standard: 'realtime',
    meaning: 'realtime, manual, auto, or a rate such as 60x',
    read: readClock,
  },
  {
    flag: 'now',
    environment: 'NOW',
    key: 'now',
    value: 'TIME',
    standard: 'the wall clock',
    meaning: 'virtual time at which worlds open, ISO 8601',
    read: readNow,
  },
  {
    flag: 'seed',
    environment: 'SEED',
    key: 'seed',
    value: 'N',
    standard: '1',
    meaning: 'every id, duration and picture follows from it',
    read: whole(0, Number.MAX_SAFE_INTEGER),
  },
  {
    flag: 'scenario',
    environment: 'SCENARIO',
    key: 'scenarios',
    value: 'NAME|FILE',
    standard: 'none',
    meaning: 'active in every new world; repeatable',
    repeatable: true,
    read: plain,
  },
  {
    flag: 'auth',
    environment: 'AUTH',
    key: 'auth',
    value: 'MODE',
    standard: 'keys',
    meaning: 'keys, or open: any sk-... key is an account of its own',
    read: choice('keys', 'open'),
  },
  {
    flag: 'inputs',
    environment: 'INPUTS',
    key: 'inputs',
    value: 'POLICY',
    standard: 'loopback',
    meaning: 'which input URLs are really fetched: none, loopback, all',
    read: choice('none', 'loopback', 'all'),
  },
  {
    flag: 'links',
    environment: 'LINKS',
    key: 'links',
    value: 'LIFE',
    standard: 'relayed',
    meaning: 'life of video links: relayed (2 h) or upstream (24 h)',
    read: choice('relayed', 'upstream'),
  },
  {
    flag: 'tls',
    environment: 'TLS',
    key: 'tls',
    value: 'MODE',
    standard: 'off',
    meaning: 'self (a certificate made at start) or CERT:KEY files',
    read: plain,
  },
  {
    flag: 'strict',
    environment: 'STRICT',
    key: 'strict',
    standard: 'off',
    meaning: 'check every reply against its own schema',
    read: flagValue,
  },
  {
    flag: 'log',
    environment: 'LOG',
    key: 'log',
    value: 'FORM',
    standard: 'pretty on a terminal, else json',
    meaning: 'pretty, json, silent',
    read: choice('pretty', 'json', 'silent'),
  },
  {
    flag: 'max-worlds',
    environment: 'MAX_WORLDS',
    key: 'maxWorlds',
    value: 'N',
    standard: '1000',
    meaning: 'worlds kept; the least recently used is dropped',
    read: whole(1, 1_000_000),
  },
  {
    flag: 'max-body-bytes',
    environment: 'MAX_BODY_BYTES',
    key: 'maxBodyBytes',
    value: 'N',
    standard: '67108864',
    meaning: 'largest request body (64 MB)',
    read: whole(1024, 1_073_741_824),
  },
  {
    flag: 'media-cache-bytes',
    environment: 'MEDIA_CACHE_BYTES',
    key: 'mediaCacheBytes',
    value: 'N',
    standard: '1073741824',
    meaning: 'size limit of rendered media kept on disk (1 GB)',
    read: whole(1_048_576, Number.MAX_SAFE_INTEGER),
  },
  {
    flag: 'codecs',
    environment: 'CODECS',
    key: 'codecs',
    value: 'SET',
    standard: 'browser',
    meaning: 'browser (H.264 always) or upstream (HEVC where upstream does)',
    read: choice('browser', 'upstream'),
  },
]

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

function parse(row: Row, texts: readonly string[], where: string): unknown {
  try {
    const last = texts.at(-1) ?? ''
    return row.repeatable ? texts.map(text => row.read(text)) : row.read(last)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${where}: ${error.message}`)
    throw error
  }
}

function readClock(text: string): Options['clock'] {
  if (text === 'realtime' || text === 'manual' || text === 'auto') return { mode: text, rate: 1 }
  const rate = /x$/.test(text) ? parseRate(text) : undefined
  if (rate === undefined)
    throw new UsageError(`${shownText(text)} is not realtime, manual, auto, or a rate such as 60x`)
  return { mode: 'realtime', rate }
}

function readNow(text: string): number {
  const ms = parseMoment(/^\d+$/.test(text) ? Number(text) : text)
  if (ms === undefined)
    throw new UsageError(`${shownText(text)} is not a moment such as 2026-01-01T00:00:00Z`)
  return ms
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${shownText(text)} is not an http or https address`)
  return text.replace(/\/+$/, '')
}

function hint(word: string, known: readonly string[], before = ''): string {
  const near = nearest(word, known)
  return near ? `; did you mean ${before}${near}?` : ''
}

function shownText(text: string): string {
  return JSON.stringify(text)
}
