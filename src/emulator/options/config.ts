import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFixture } from '../package/files.ts'
import { checkScenario } from '../scenarios/load.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { shown, suggestion, yamlFault } from '../wording/shown.ts'
import { parseRate } from '../worlds/clock.ts'
import { isTooDeepYaml } from '../worlds/json-depth.ts'
import { isName, isRecord, nameRule } from '../worlds/record-values.ts'
import type { AccountKeys } from '../worlds/worlds.ts'
import { type FlagRows, hint, plain, readAt, readFlagTexts, readUrl, UsageError } from './flags.ts'
import type { Log } from './log.ts'
import { type OptionRow, type Options, optionRows, type StartOptions, standardOptions } from './table.ts'

const prefix = 'GATEWAY_EMULATOR_'
/**
 * Variables that are not options: the path of the config file, those of the test kits, and those that `explore` and `run` give to a
 * program, which may start an emulator of its own.
 */
const otherVariables = [
  'CONFIG',
  ...['URL', 'TRACES', 'PROGRAM'],
  ...['KEY', 'WORLD', 'CASE', 'STATE', 'AS', 'TIME', 'TIED', 'DIES', 'SERVICE'],
]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Options from arguments, environment and config file. A flag wins over the environment, the environment over the file, the file
 * over the default. `standard` holds defaults of one command. Also returns the remaining arguments, and the keys of the options that
 * were given. Throws UsageError with the nearest valid name.
 */
export function readOptions(
  args: readonly string[],
  standard: Partial<Options> = {},
  environment: Environment = process.env,
): { options: Options; rest: string[]; given: ReadonlySet<string> } {
  const { texts: values, words: rest } = readFlagTexts(args, optionFlags)
  const found = new Map<string, unknown>()
  const given = values.get('config')?.at(-1)
  const file = given === undefined ? environment[`${prefix}CONFIG`] : readAt('--config', given, plain)
  if (file) for (const [key, value] of readConfigFile(file)) found.set(key, value)
  for (const [key, value] of readEnvironment(environment)) found.set(key, value)
  for (const row of optionRows) {
    const texts = values.get(row.flag)
    if (texts) found.set(row.key, parse(row, texts, `--${row.flag}`))
  }
  const log = process.stdout.isTTY ? 'pretty' : 'json'
  if (environment.FFMPEG_PATH) found.set('ffmpegPath', environment.FFMPEG_PATH)
  return {
    options: { ...standardOptions, log, ...standard, ...Object.fromEntries(found) } as Options,
    rest,
    given: new Set(found.keys()),
  }
}

/** The address of a running emulator that `--base-url` or GATEWAY_EMULATOR_URL names; undefined when neither does. Throws UsageError. */
export function namedUrl(
  given: string | undefined,
  environment: Environment = process.env,
): string | undefined {
  if (given !== undefined) return readAt('--base-url', given, readUrl)
  const { GATEWAY_EMULATOR_URL: named } = environment
  return named ? readAt('GATEWAY_EMULATOR_URL', named, readUrl) : undefined
}

/** The options as flags, and the file that holds more of them. */
export const optionFlags: FlagRows = {
  ...Object.fromEntries(optionRows.map(({ flag, row }) => [flag, row])),
  config: ['FILE', 'none', 'the same options as JSON or YAML, plus models and prices'],
}

function readEnvironment(environment: Environment): [string, unknown][] {
  const known = [...optionRows.map(row => row.environment), ...otherVariables]
  const found: [string, unknown][] = []
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || text === undefined || text === '') continue
    const short = name.slice(prefix.length)
    if (!known.includes(short)) throw new UsageError(`Unknown variable ${name}${hint(short, known, prefix)}`)
    const row = optionRows.find(({ environment: own }) => own === short)
    if (row) found.push([row.key, parse(row, row.row[3] ? text.split(',') : [text], name)])
  }
  return found
}

/** A config file's keys: the flags' names (also in camelCase), and those of tables. A key with the value null is ignored. */
function readConfigFile(path: string): [string, unknown][] {
  const given = Object.entries(parseFile(path)).filter(([, value]) => value !== null)
  return given.map(([name, value]) => {
    if (isTableName(name)) return [name, readTable(name, value, `${name} in ${path}`)]
    const row = optionRows.find(({ flag, key }) => name === flag || name === key || name === `${flag}s`)
    const names = [...optionRows.map(({ flag }) => flag), ...tableNames]
    if (!row) throw new UsageError(`Unknown key ${name} in ${path}${hint(name, names)}`)
    return [row.key, parse(row, readTexts(row, value, `${name} in ${path}`), `${name} in ${path}`)]
  })
}

function parseFile(path: string): Record<string, unknown> {
  const content = readYaml(path)
  // An empty file, or one with only comments, sets nothing.
  if (content === null) return {}
  if (typeof content === 'object' && !Array.isArray(content)) return { ...content }
  throw new UsageError(`${path} must hold one mapping of options`)
}

interface Table {
  holds: string
  fits(value: unknown): boolean
  /** What is wrong with an entry that fits; undefined when nothing is. */
  fault(entry: [string, unknown]): string | undefined
}

type TableName = 'models' | 'prices' | 'accounts'

/** The tables of a config file: the user's model names, prices, and keys of accounts. */
const tables: Readonly<Record<TableName, Table>> = {
  models: {
    holds: 'strings',
    fits: value => typeof value === 'string',
    fault: ([, model]) => unknownIn('models.json', String(model)),
  },
  prices: {
    holds: 'numbers of 0 or more',
    fits: value => typeof value === 'number' && Number.isFinite(value) && value >= 0,
    fault: ([key]) => unknownIn('prices.json', key),
  },
  accounts: {
    holds: 'keys by their label, such as {"keys":{"web":{},"old":{"disabled":true}}}',
    fits: account =>
      hasOnly(account, ['keys']) &&
      isRecord(account.keys) &&
      Object.values(account.keys).every(key => hasOnly(key, ['disabled']) && isSwitch(key.disabled)),
    fault: ([name, account]) =>
      [name, ...Object.keys((account as AccountKeys).keys)]
        .filter(given => !isName(given))
        .map(given => `${JSON.stringify(given)} is no name: ${nameRule}`)[0],
  },
}

function unknownIn(fixture: string, name: string): string | undefined {
  const known = Object.keys(readFixture(fixture))
  return known.includes(name)
    ? undefined
    : `${JSON.stringify(name)} is not one of ${known.join(', ')}${hint(name, known)}`
}

function hasOnly(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isRecord(value) && Object.keys(value).every(name => names.includes(name))
}

function isSwitch(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

const tableNames = Object.keys(tables) as readonly TableName[]

function isTableName(name: string): name is TableName {
  return Object.hasOwn(tables, name)
}

/** A table of models, prices or accounts. Throws UsageError for a value of another type, and for a name that is not possible. */
function readTable(name: TableName, value: unknown, where: string): Record<string, unknown> {
  const table = tables[name]
  const entries = isRecord(value) ? Object.entries(value) : undefined
  if (!entries?.every(([, entry]) => table.fits(entry)))
    throw new UsageError(`${where} must map names to ${table.holds}`)
  const [fault] = entries.flatMap(entry => table.fault(entry) ?? [])
  if (fault !== undefined) throw new UsageError(`${where}: ${fault}`)
  return Object.fromEntries(entries)
}

/** A file's value as the text of a flag. Only a repeatable option may be a list. */
function readTexts(row: OptionRow, value: unknown, where: string): string[] {
  const values = row.row[3] && Array.isArray(value) ? value : [value]
  const wrong = values.find(entry => typeof entry === 'object')
  if (wrong !== undefined) throw new UsageError(`${where}: ${shown(wrong)} is not a plain value`)
  return values.map(String)
}

function parse(row: OptionRow, texts: readonly string[], where: string): unknown {
  return readAt(where, texts, all => (row.row[3] ? all.map(row.read) : row.read(all.at(-1) ?? '')))
}

/** The content of a YAML or JSON file that the command line names. Throws UsageError, with the path, when it cannot be read. */
export function readYaml(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
  if (isTooDeepYaml(text)) throw new UsageError(`${path}: it is nested too deeply`)
  const yaml: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  try {
    return yaml.parse(text)
  } catch (error) {
    throw new UsageError(`${path}: ${yamlFault(error)}`)
  }
}

/** Options as the parts of an emulator take them: any subset; scenarios may be documents. */
export type EmulatorOptions = Partial<Omit<Options, 'scenarios'>> & {
  scenarios?: readonly (string | ScenarioDocument)[]
  logger?: Log
}

/** Options that have another type than their flag: objects, paths from the environment, and tables of a config file. */
const others = ['logger', 'ffmpegPath', ...tableNames]

/**
 * Reads the options of code into the emulator's options. Undefined and null mean that an option is not set. Throws UsageError for
 * an unknown option, an invalid value and a wrong scenario.
 */
export function readStartOptions(given: StartOptions): EmulatorOptions {
  // Plain JavaScript may pass anything.
  if (!isRecord(given as unknown))
    throw new UsageError(`The options are an object such as {"seed":1}, not ${JSON.stringify(given)}`)
  const { dataDir: data, scenarios, ...rest } = given
  if (((rest as { data?: unknown }).data ?? undefined) !== undefined)
    throw new UsageError(`Unknown option data; ${suggestion('dataDir')}`)
  const set = Object.entries({ ...rest, ...(data !== undefined && { data }) }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return {
    ...Object.fromEntries(set.map(([name, value]) => [name, readOption(name, value)])),
    ...(scenarios && {
      scenarios: scenarios.map(entry => (typeof entry === 'string' ? entry : checked(entry))),
    }),
  }
}

function checked(document: ScenarioDocument): ScenarioDocument {
  try {
    return checkScenario(document)
  } catch (error) {
    throw asUsageError(error)
  }
}

/** The error for callers in code: for a wrong or unknown scenario, a UsageError with the message of the command line. */
export function asUsageError(error: unknown): unknown {
  return error instanceof ScenarioError ? new UsageError(error.fullMessage, { cause: error }) : error
}

function readOption(name: string, value: unknown): unknown {
  if (isTableName(name)) return readTable(name, value, name)
  if (others.includes(name)) return value
  if (name === 'clock' && typeof value === 'object') return readClock(value as Partial<Options['clock']>)
  if (name === 'now' && value instanceof Date) return readAsFlag(name, String(value.getTime()))
  return readAsFlag(name, String(value))
}

function readClock({ mode = 'realtime', rate = 1 }: Partial<Options['clock']>): unknown {
  if (mode !== 'realtime') return { ...(readAsFlag('clock', mode) as object), rate: rateOf(rate) }
  return { mode, rate: rateOf(rate) }
}

function rateOf(rate: unknown): number {
  const read = parseRate(rate)
  if (read === undefined) throw new UsageError(`clock.rate: ${JSON.stringify(rate)} is not a rate such as 60`)
  return read
}

/** Reads a value like the flag of this name, so that code and command line agree. */
function readAsFlag(key: string, text: string): unknown {
  const row = optionRows.find(candidate => candidate.key === key)
  if (!row) {
    const names = optionRows.map(known => (known.key === 'data' ? 'dataDir' : known.key))
    throw new UsageError(`Unknown option ${key}${hint(key, [...names, ...others])}`)
  }
  return readAt(key, text, row.read)
}
