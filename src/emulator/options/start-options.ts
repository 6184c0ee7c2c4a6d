import { checkScenario } from '../scenarios/load.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { suggestion } from '../wording/did-you-mean.ts'
import { type ClockMode, parseRate } from '../worlds/clock.ts'
import type { AccountKeys } from '../worlds/worlds.ts'
import { isTableName, readTable, tableNames } from './config.ts'
import type { Log } from './log.ts'
import { type Options, optionRows } from './table.ts'
import { hint, readAt, UsageError } from './usage-error.ts'

/** Options of `startEmulator` and `createEmulator`: those of the command line, with names and types for code. Undefined and null mean: not set. */
export interface StartOptions {
  /** 0 to 65535; 0, the default, picks a free one. */
  port?: number | undefined
  /** The address to listen at; default 127.0.0.1. */
  host?: string | undefined
  /** The base of result links, such as `https://gateway.test`; default: the Host of each request, on loopback with the other of `127.0.0.1` and `localhost`. */
  publicUrl?: string | undefined
  /** The directory that keeps worlds and media; default: in memory. Only one process at a time can use it. */
  dataDir?: string | undefined
  /** With `dataDir`: survive a power cut too, not only the end of the process; default false. */
  fsync?: boolean | undefined
  /** How virtual time moves: a mode, a rate such as `60x`, or both parts; default `realtime`. */
  clock?: ClockMode | `${number}x` | { mode: ClockMode; rate: number } | undefined
  /** The virtual time at which worlds open: ISO 8601, epoch milliseconds, or a Date; default: the wall clock. Set it to get the same replies in each run. */
  now?: string | number | Date | undefined
  /** A whole number from 0; every id, duration and picture follows from it; default 1. */
  seed?: number | undefined
  /** Active in every new world: names of shipped scenarios, paths of files, YAML texts, or documents. */
  scenarios?: readonly (string | ScenarioDocument)[] | undefined
  /** `keys`, the default: the key names world and account. `open`: any `sk-…` is an account of its own in `default`. */
  auth?: 'keys' | 'open' | undefined
  /** Which input URLs are really fetched; default `loopback`. For the others, properties are assumed. */
  inputs?: 'none' | 'loopback' | 'all' | undefined
  /** Life of video links: `relayed`, the default (A 2 h), or `upstream` (A 24 h). */
  links?: 'relayed' | 'upstream' | undefined
  /** Family A's answer for a model that does not exist: `invalid`, the default (400), `not_found` (404) or `unavailable` (503). */
  unknownModel?: 'invalid' | 'not_found' | 'unavailable' | undefined
  /** `off`: brackets in prompts are text like any other; default `on`. */
  promptTags?: 'on' | 'off' | undefined
  /** Pages of which origins may use the emulated API: `local`, the default (loopback, private networks, names that are not public), or `any`. */
  cors?: 'local' | 'any' | undefined
  /** https: `self` makes a certificate at start, or `CERT:KEY` names two files; default: http. */
  tls?: string | undefined
  /** Check every reply against its own schema; a mismatch is a 500 that names it; default false. */
  strict?: boolean | undefined
  /** The form of the log on standard error; default `silent`. */
  log?: 'pretty' | 'json' | 'silent' | undefined
  /** One line of the log for each request of the emulated API; default false. */
  requestLog?: boolean | undefined
  /** How many worlds are kept; past it, the least recently used one that a key opened is dropped; default 1000. */
  maxWorlds?: number | undefined
  /** The largest request body in bytes; a larger one is 413; default 64 MiB. */
  maxBodyBytes?: number | undefined
  /** The most disk space that rendered media may take, in bytes; default 1 GiB. */
  mediaCacheBytes?: number | undefined
  /**
   * `browser`, the default: H.264, which every browser plays. `upstream`: what the real service sends,
   * HEVC in 10 bits for some sizes, and 4:4:4 with PCM sound in mov files.
   */
  codecs?: 'browser' | 'upstream' | undefined
  /** The ffmpeg to use; default: the one that is installed with the package. */
  ffmpegPath?: string | undefined
  /** More model names: your name to a neutral id of `GET /__emulator/models`. */
  models?: Readonly<Record<string, string>> | undefined
  /** Prices in credits by the keys of `fixtures/prices.json`. */
  prices?: Readonly<Record<string, number>> | undefined
  /** Keys that accounts of each world have from the start, by their label, such as `{ default: { keys: { old: { disabled: true } } } }`. */
  accounts?: Readonly<Record<string, AccountKeys>> | undefined
  /** Receives the log instead of standard error. */
  logger?: Log | undefined
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
 * an unknown option and an invalid value, and ScenarioError for a wrong scenario.
 */
export function readStartOptions(given: StartOptions): EmulatorOptions {
  // Plain JavaScript may pass anything.
  if (typeof given !== 'object' || given === null || Array.isArray(given))
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
      scenarios: scenarios.map(entry => (typeof entry === 'string' ? entry : checkScenario(entry))),
    }),
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
