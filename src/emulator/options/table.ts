import type { ClockMode } from '../worlds/clock.ts'
import type { AccountKeys } from '../worlds/worlds.ts'
import {
  choice,
  flagValue,
  plain,
  readClock,
  readLogForm,
  readNow,
  readPort,
  readUrl,
  whole,
} from './read-value.ts'

/** All options with their final values. */
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
  /** What family A answers for a model that does not exist: 400, 404 as the upstream, 503 as relays. */
  unknownModel: 'invalid' | 'not_found' | 'unavailable'
  /** `off`: brackets in prompts are normal text. */
  promptTags: 'on' | 'off'
  /** Pages of which origins may use the emulated API: those of places where front ends are developed, or all. */
  cors: 'local' | 'any'
  tls?: string
  strict: boolean
  log: 'pretty' | 'json' | 'silent'
  /** Log one line per request of the emulated API. */
  requestLog: boolean
  maxWorlds: number
  /** Largest request body, bytes. */
  maxBodyBytes: number
  /** Size limit of the rendered-media cache, bytes. */
  mediaCacheBytes: number
  codecs: 'browser' | 'upstream'
  ffmpegPath?: string
  /** Models added by a config file: alias → published neutral id. */
  models: Readonly<Record<string, string>>
  /** Prices by key of `fixtures/prices.json`, overriding them. */
  prices: Readonly<Record<string, number>>
  /** Keys that accounts of each world have from the start, by their label. */
  accounts: Readonly<Record<string, AccountKeys>>
  /** Set when the emulator listens, not by users. */
  hasLoopbackNames?: boolean
}

/** One option: flag, environment name, default, meaning. */
export interface OptionRow {
  flag: string
  environment: string
  key: keyof Options
  /** The placeholder after the flag in the help; absent for switches. */
  value?: string
  standard: string
  meaning: string
  repeatable?: boolean
  read(text: string): unknown
}

/** The one table of options: flag, environment name, default, meaning. */
export const optionRows: readonly OptionRow[] = [
  {
    flag: 'port',
    environment: 'PORT',
    key: 'port',
    value: 'N',
    standard: '8585',
    meaning: 'port to listen on; 0 picks a free one',
    read: readPort,
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
    standard: "from the request's Host; on loopback the other of 127.0.0.1 and localhost",
    meaning: 'base of result links',
    read: readUrl,
  },
  {
    flag: 'data',
    environment: 'DATA',
    key: 'data',
    value: 'DIR',
    standard: 'none: memory only',
    meaning: 'store worlds and media in DIR; they survive restarts and kill -9',
    read: plain,
  },
  {
    flag: 'fsync',
    environment: 'FSYNC',
    key: 'fsync',
    standard: 'off',
    meaning: 'with --data: changes survive a power cut too',
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
    meaning: 'virtual time at which worlds open, ISO 8601; UTC when it has no zone',
    read: readNow,
  },
  {
    flag: 'seed',
    environment: 'SEED',
    key: 'seed',
    value: 'N',
    standard: '1',
    meaning: 'number that decides every id, duration and picture',
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
    meaning: 'keys, or open: every sk-... key has its own account',
    read: choice('keys', 'open'),
  },
  {
    flag: 'inputs',
    environment: 'INPUTS',
    key: 'inputs',
    value: 'POLICY',
    standard: 'loopback',
    meaning: 'which input URLs are fetched: none, loopback, all',
    read: choice('none', 'loopback', 'all'),
  },
  {
    flag: 'links',
    environment: 'LINKS',
    key: 'links',
    value: 'LIFE',
    standard: 'relayed',
    meaning: "life of family A's video links: relayed (2 h) or upstream (24 h)",
    read: choice('relayed', 'upstream'),
  },
  {
    flag: 'unknown-model',
    environment: 'UNKNOWN_MODEL',
    key: 'unknownModel',
    value: 'ANSWER',
    standard: 'invalid',
    meaning: 'family A, a model that does not exist: invalid (400), not_found (404) or unavailable (503)',
    read: choice('invalid', 'not_found', 'unavailable'),
  },
  {
    flag: 'prompt-tags',
    environment: 'PROMPT_TAGS',
    key: 'promptTags',
    value: 'SWITCH',
    standard: 'on',
    meaning: 'on, or off: [[brackets]] in prompts are normal text',
    read: choice('on', 'off'),
  },
  {
    flag: 'cors',
    environment: 'CORS',
    key: 'cors',
    value: 'ORIGINS',
    standard: 'local',
    meaning:
      'pages that may use the emulated API: local (loopback, private networks, names that are not public) or any',
    read: choice('local', 'any'),
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
    read: readLogForm,
  },
  {
    flag: 'request-log',
    environment: 'REQUEST_LOG',
    key: 'requestLog',
    value: 'on|off',
    standard: 'on for serve',
    meaning: 'one line per request of the emulated API, in the form of --log',
    read: flagValue,
  },
  {
    flag: 'max-worlds',
    environment: 'MAX_WORLDS',
    key: 'maxWorlds',
    value: 'N',
    standard: '1000',
    meaning:
      'most worlds that are kept; the least recently used one that a key opened is dropped, never default',
    read: whole(1, 1_000_000),
  },
  {
    flag: 'max-body-bytes',
    environment: 'MAX_BODY_BYTES',
    key: 'maxBodyBytes',
    value: 'N',
    standard: '67108864',
    meaning: 'largest request body in bytes; the default is 64 MB',
    read: whole(1024, 1_073_741_824),
  },
  {
    flag: 'media-cache-bytes',
    environment: 'MEDIA_CACHE_BYTES',
    key: 'mediaCacheBytes',
    value: 'N',
    standard: '1073741824',
    meaning: 'disk limit for rendered media, and the same again for inputs; the default is 1 GB',
    read: whole(1_048_576, Number.MAX_SAFE_INTEGER),
  },
  {
    flag: 'codecs',
    environment: 'CODECS',
    key: 'codecs',
    value: 'SET',
    standard: 'browser',
    meaning:
      'browser (H.264 and AAC always) or upstream (HEVC, and 4:4:4 with PCM in mov files, where upstream does)',
    read: choice('browser', 'upstream'),
  },
]
