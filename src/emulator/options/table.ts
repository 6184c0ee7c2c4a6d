import type { ScenarioDocument } from '../scenarios/scenario.ts'
import type { ClockMode } from '../worlds/clock.ts'
import type { AccountKeys } from '../worlds/worlds.ts'
import {
  choice,
  type FlagRow,
  flagValue,
  plain,
  readClock,
  readLogForm,
  readNow,
  readPort,
  readUrl,
  whole,
} from './flags.ts'
import type { Log } from './log.ts'

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

/** All options with their final values, as the parts of an emulator read them. */
export interface Options extends Settled<Omit<StartOptions, OtherName>> {
  publicUrl?: string
  data?: string
  clock: { mode: ClockMode; rate: number }
  /** Virtual time at which worlds open, epoch ms; absent = the wall clock. */
  now?: number
  scenarios: readonly string[]
  tls?: string
  ffmpegPath?: string
  /** Set when the emulator listens, not by users. */
  hasLoopbackNames?: boolean
}

/** Options whose final values have another type or name, or are absent by default. */
type OtherName = 'publicUrl' | 'dataDir' | 'clock' | 'now' | 'scenarios' | 'tls' | 'ffmpegPath' | 'logger'

type Settled<Given> = { [Name in keyof Given]-?: Exclude<Given[Name], undefined> }

/** One option of `serve`: its name in code, on the command line and in the environment, its default, and what it does. */
export interface OptionRow extends OptionEntry {
  key: OptionKey
  /** The name in kebab-case; a repeatable one in the singular. */
  flag: string
  /** The flag in capitals, without `GATEWAY_EMULATOR_`. */
  environment: string
}

interface OptionEntry {
  /** Its flag, as those of other commands. The default is that as people read it, and as `read` does when there is no `initial`. */
  row: FlagRow
  read(text: string): unknown
  /** The default as a value. */
  initial?: unknown
}

/** The options that a flag can set. */
type OptionKey = Exclude<keyof Options, 'ffmpegPath' | 'models' | 'prices' | 'accounts' | 'hasLoopbackNames'>

/** The one table of options. Flags, variables, keys of the configuration file and of code, the help and the guide come from it. */
const entries: Readonly<Record<OptionKey, OptionEntry>> = {
  port: { row: ['N', '8585', 'port to listen on; 0 picks a free one'], read: readPort },
  host: { row: ['ADDRESS', '127.0.0.1', 'address to listen on'], read: plain },
  publicUrl: {
    row: [
      'URL',
      "from the request's Host; on loopback the other of 127.0.0.1 and localhost",
      'base of result links',
    ],
    read: readUrl,
    initial: undefined,
  },
  data: {
    row: ['DIR', 'none: memory only', 'store worlds and media in DIR; they survive restarts and kill -9'],
    read: plain,
    initial: undefined,
  },
  fsync: { row: ['', 'off', 'with --data: changes survive a power cut too'], read: flagValue },
  clock: { row: ['MODE', 'realtime', 'realtime, manual, auto, or a rate such as 60x'], read: readClock },
  now: {
    row: ['TIME', 'the wall clock', 'virtual time at which worlds open, ISO 8601; UTC when it has no zone'],
    read: readNow,
    initial: undefined,
  },
  seed: {
    row: ['N', '1', 'number that decides every id, duration and picture'],
    read: whole(0, Number.MAX_SAFE_INTEGER),
  },
  scenarios: {
    row: ['NAME|FILE', 'none', 'active in every new world', 'repeatable'],
    read: plain,
    initial: [],
  },
  auth: {
    row: ['MODE', 'keys', 'keys, or open: every sk-... key has its own account'],
    read: choice('keys', 'open'),
  },
  inputs: {
    row: ['POLICY', 'loopback', 'which input URLs are fetched: none, loopback, all'],
    read: choice('none', 'loopback', 'all'),
  },
  links: {
    row: ['LIFE', 'relayed', "life of family A's video links: relayed (2 h) or upstream (24 h)"],
    read: choice('relayed', 'upstream'),
  },
  unknownModel: {
    row: [
      'ANSWER',
      'invalid',
      'family A, a model that does not exist: invalid (400), not_found (404) or unavailable (503)',
    ],
    read: choice('invalid', 'not_found', 'unavailable'),
  },
  promptTags: {
    row: ['SWITCH', 'on', 'on, or off: [[brackets]] in prompts are normal text'],
    read: choice('on', 'off'),
  },
  cors: {
    row: [
      'ORIGINS',
      'local',
      'pages that may use the emulated API: local (loopback, private networks, names that are not public) or any',
    ],
    read: choice('local', 'any'),
  },
  tls: {
    row: ['MODE', 'off', 'self (a certificate made at start) or CERT:KEY files'],
    read: plain,
    initial: undefined,
  },
  strict: { row: ['', 'off', 'check every reply against its own schema'], read: flagValue },
  log: {
    row: ['FORM', 'pretty on a terminal, else json', 'pretty, json, silent'],
    read: readLogForm,
    initial: 'silent',
  },
  requestLog: {
    row: ['on|off', 'on for serve', 'one line per request of the emulated API, in the form of --log'],
    read: flagValue,
    initial: false,
  },
  maxWorlds: {
    row: [
      'N',
      '1000',
      'most worlds that are kept; the least recently used one that a key opened is dropped, never default',
    ],
    read: whole(1, 1_000_000),
  },
  maxBodyBytes: {
    row: ['N', '67108864', 'largest request body in bytes; the default is 64 MB'],
    read: whole(1024, 1_073_741_824),
  },
  mediaCacheBytes: {
    row: [
      'N',
      '1073741824',
      'disk limit for rendered media, and the same again for inputs; the default is 1 GB',
    ],
    read: whole(1_048_576, Number.MAX_SAFE_INTEGER),
  },
  codecs: {
    row: [
      'SET',
      'browser',
      'browser (H.264 and AAC always) or upstream (HEVC, and 4:4:4 with PCM in mov files, where upstream does)',
    ],
    read: choice('browser', 'upstream'),
  },
}

export const optionRows: readonly OptionRow[] = Object.entries(entries).map(([name, entry]) => {
  const kebab = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const flag = entry.row[3] ? kebab.slice(0, -1) : kebab
  return { ...entry, key: name as OptionKey, flag, environment: flag.toUpperCase().replaceAll('-', '_') }
})

/** The default options. */
export const standardOptions = {
  ...Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => [
      key,
      'initial' in entry ? entry.initial : entry.read(entry.row[1]),
    ]),
  ),
  ...{ models: {}, prices: {}, accounts: {} },
} as unknown as Options
