import { isAbsolute, relative, resolve } from 'node:path'
import { modelNames, neutralModel } from '../../emulator/gateway.ts'
import { readFixture } from '../../emulator/ground.ts'
import {
  choice,
  type FlagRows,
  type FlagsOf,
  hint,
  readAt,
  readFlags,
  UsageError,
} from '../../emulator/options.ts'
import { type Hosts, readAllowedHost, readEmulatedHost } from '../../explore/as.ts'
import {
  asksForOrders,
  asksForRestarts,
  defaults,
  type Reporter,
  readFailOn,
  readJobs,
  readLength,
  readNeed,
  readScale,
  readServices,
  readSystemFile,
  reporters,
  type Settings,
  type System,
  type TimeChoice,
  times,
} from '../../explore/explore.ts'

/** The flags that put the emulator in the place of hosts. */
const asRows = {
  as: [
    'HOST',
    'none',
    'the emulator takes the place of this host; HOST/PREFIX takes a path off',
    'repeatable',
  ],
  allow: ['HOST', 'none', 'with --as: a host that the program reaches as always', 'repeatable'],
  'model-alias': [
    'NAME=MODEL',
    'none',
    "NAME means this model of the emulator; '*': each unknown name",
    'repeatable',
  ],
} as const satisfies FlagRows

/** The parsed flags. */
interface AsFlags {
  hosts: Hosts
  /** Names of models of the program, and the models of the emulator that stand for them. `*`: for each unknown name. */
  models: Readonly<Record<string, string>>
}

/** Reads `--as`, `--allow` and `--model-alias`. Throws UsageError. */
export function readAsFlags(flags: Readonly<Record<keyof typeof asRows, readonly string[]>>): AsFlags {
  const emulated = flags.as.map(text => readAt('--as', text, readEmulatedHost))
  const allowed = flags.allow.map(text => readAt('--allow', text, readAllowedHost))
  if (emulated.length === 0 && allowed.length > 0)
    throw new UsageError('--allow is for programs behind --as HOST; without it all hosts can be reached')
  return { hosts: { emulated, allowed }, models: Object.fromEntries(flags['model-alias'].map(readAlias)) }
}

function readAlias(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  const [name, model] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || model === '') throw new UsageError(`--model-alias: "${text}" is not of the form NAME=MODEL`)
  const id = neutralModel(model, {})
  if (id === undefined)
    throw new UsageError(
      `--model-alias: "${model}" is not one of ${Object.keys(readFixture('models.json')).join(', ')} or their published names${hint(model, modelNames())}`,
    )
  return [name, id]
}

/** The parsed command line of `explore`. */
export interface ExploreFlags {
  env: { name: string; template: string }[]
  /** What the settings of the exploration take unchanged. */
  chosen: Omit<
    Settings,
    | 'accept'
    | 'recorded'
    | 'reuse'
    | 'seed'
    | 'now'
    | 'folder'
    | 'clock'
    | 'time'
    | 'command'
    | 'replay'
    | 'signal'
    | 'progress'
  >
  /** The services of `--system` or `--service`; undefined for one program. */
  system: System | undefined
  /** The folder that the program always uses; undefined: an empty one for each case. */
  state: string | undefined
  /** The limit as the user wrote it; undefined: the default. */
  limitText: string | undefined
  accept: string | undefined
  /** The report.json whose problems and warnings are played again. */
  again: string | undefined
  /** The folder of the report whose rows are taken over where they can be. */
  reuse: string | undefined
  /** Writes the file of `--accept`. */
  update: boolean
  out: string | undefined
  reporter: Reporter
  /** Undefined: `real` with a clock that moves by itself, else `auto`. */
  time: TimeChoice | undefined
  /** The hosts whose place the emulator takes. */
  as: AsFlags
  /** Those flags as they were given. */
  asTexts: string[]
  /** The flags of a system as they were given. */
  systemTexts: string[]
  /** Flags of `serve`, unchanged. */
  serve: string[]
  program: string
  args: string[]
}

/** The flags of `serve` that worlds of a program have, too. */
const ofServe = {
  seed: ['N', '1', 'the seed of worlds'],
  now: ['TIME', 'the wall clock', 'virtual time at which worlds open'],
  clock: ['MODE', 'explore: by --time; run: auto', 'realtime, manual, auto, or a rate such as 60x'],
  scenario: ['NAME|FILE', 'none', 'active in each world', 'repeatable'],
  config: ['FILE', 'none', 'options of the emulator as JSON or YAML'],
} as const satisfies FlagRows
/** The flags that a replay of a system needs too. */
const ofSystem = { system: 0, service: 0, ready: 0, scale: 0, kill: 0, 'restart-after': 0 } as const
const envRow = {
  env: [
    'NAME=TEMPLATE',
    'none',
    'a variable for it, with {url}, {key}, {world} (explore: {state})',
    'repeatable',
  ],
} as const satisfies FlagRows
/** The options of `explore`. */
export const flagRows = {
  ...envRow,
  ...asRows,
  only: ['PATTERN', 'all cases', "only these: a.create, 'file_*', 'a.create#1 task_expired'", 'repeatable'],
  skip: ['PATTERN', 'none', 'leave these cases out', 'repeatable'],
  pairs: ['', 'off', 'also two failures in one run'],
  restarts: ['', 'off', 'instead of failures: kill the program at each of its calls, and start it again'],
  system: ['FILE', 'none', 'explore the services of this file, which also names the driver'],
  service: ['NAME=COMMAND', 'none', 'a service that runs beside COMMAND, its driver', 'repeatable'],
  ready: ['NAME=SIGN', 'none', 'when it is ready: tcp, a URL, or a line of its output', 'repeatable'],
  scale: ['NAME=N', '1', 'how many of a service run', 'repeatable'],
  kill: ['NAME', 'none', 'restarts of this service only; one beside is killed at the calls of the others'],
  'restart-after': ['TIME', defaults.restartAfter, 'how long a service that was killed is away'],
  orders: ['', 'off', 'also calls that overlap, with their replies in the other order'],
  state: [
    'DIR',
    'an empty folder for each case',
    'where the program remembers; it is put back after each case',
  ],
  'put-back': ['', 'off', 'only put --state DIR back, after an explore that was killed'],
  'without-result': [
    '',
    'off',
    'explore a program that makes tasks and receives no result: it only cancels or lists',
  ],
  patience: ['', 'off', 'instead of failures: measure which outages, queues and late answers it survives'],
  need: [
    'FIGURE=VALUE',
    'none',
    'a lower figure of --patience is a problem: outage=2m, queue=30m',
    'repeatable',
  ],
  jobs: [
    'N',
    String(defaults.jobs),
    'how many runs at a time; up to 8 of a program that sleeps in real time; one with --state',
  ],
  limit: ['TIME', defaults.limit, 'wall time of one run; an undisturbed run may take three times as long'],
  budget: ['TIME', defaults.budget, 'no run starts after it; what was left out is listed'],
  time: ['virtual|real|auto', 'auto', 'virtual: sleeps of the program move the clock of its world at once'],
  'virtual-time': ['', 'off', 'the old name of --time virtual'],
  accept: ['FILE', 'none', 'known problems, as YAML or JSON'],
  again: ['FILE', 'none', 'play only the problems and warnings of this report.json: FIXED or STILL'],
  reuse: [
    'DIR',
    'none',
    'take over the cases of the report there whose program files have not changed, and play the others',
  ],
  coverage: ['', 'off', 'say which handlers of the program no case ran (Node, Python)'],
  update: ['', 'off', 'write the file of --accept: the known problems as they are now'],
  'fail-on': ['problems|warnings', defaults.failOn, 'what ends the command with 1'],
  out: [
    'DIR',
    'none',
    'write the report as HTML, JUnit, JSON and SARIF, and scenario, log and trace of each problem',
  ],
  reporter: [reporters.join('|'), 'pretty', 'the form of the report on standard output'],
  ...ofServe,
} as const satisfies FlagRows
/** The options of `run`. */
export const runRows = { ...envRow, ...asRows, ...ofServe }

/** Reads `[options] -- COMMAND [ARG…]`. Throws UsageError with the flag and the nearest known flag. */
export function readExploreFlags(given: readonly string[]): ExploreFlags {
  const at = given.indexOf('--')
  const { flags, words } = readFlags(at < 0 ? given : given.slice(0, at), flagRows)
  if (words.length > 0) throw new UsageError(`Unknown argument ${words[0]}: the command comes after --`)
  const [program = '', ...args] = at < 0 ? [] : given.slice(at + 1)
  if (program === '' && flags.system === undefined)
    throw new UsageError(
      'No command: write gateway-emulator explore [options] -- COMMAND [ARG…], or --system FILE',
    )
  const system = systemOf(flags, program === '' ? [] : [program, ...args])
  const { only, skip, pairs, state, jobs, accept, again, reuse, update, out } = flags
  if (update && accept === undefined)
    throw new UsageError('--update writes the file of --accept; give --accept FILE, too')
  const restarts = flags.restarts || flags.kill !== undefined || asksForRestarts(only)
  if (system && state !== undefined)
    throw new UsageError(
      '--state is for a single program: a system has a folder {state} of each case, which its prepare fills',
    )
  if (restarts && pairs)
    throw new UsageError('--restarts kills the program, and --pairs joins two failures; give one of them')
  if (again !== undefined && (flags.patience || flags.need.length > 0))
    throw new UsageError('--again plays cases, and --patience and --need measure instead; give one of them')
  if (reuse !== undefined && (again !== undefined || flags.patience || flags.need.length > 0))
    throw new UsageError(
      '--reuse takes cases over, and --again, --patience and --need play anew; give one of them',
    )
  if (flags.coverage && (reuse !== undefined || flags.patience || flags.need.length > 0))
    throw new UsageError(
      '--coverage is of the cases that are played; give it without --reuse, --patience and --need',
    )
  if (state !== undefined && out !== undefined) checkApart('--out', out, state)
  if (state !== undefined && accept !== undefined) checkApart('--accept', accept, state)
  return {
    env: flags.env.map(readTemplate),
    chosen: {
      only,
      skip,
      pairs,
      restarts,
      ...(flags.kill !== undefined && { kill: flags.kill }),
      restartAfterMs: readAt('--restart-after', flags['restart-after'] ?? defaults.restartAfter, readLength),
      orders: flags.orders || asksForOrders(only),
      ...(jobs !== undefined && { jobs: readAt('--jobs', jobs, readJobs) }),
      // All cases share the folder.
      ...(state !== undefined && { jobs: 1 }),
      patience: flags.patience ? 'all' : flags.need.length > 0 ? 'needed' : 'off',
      withoutResult: flags['without-result'],
      ...(flags.coverage && { coverage: true }),
      needs: flags.need.map(text => readAt('--need', text, readNeed)),
      limitMs: readAt('--limit', flags.limit ?? defaults.limit, readLength),
      budgetMs: readAt('--budget', flags.budget ?? defaults.budget, readLength),
      failOn: readAt('--fail-on', flags['fail-on'] ?? defaults.failOn, readFailOn),
    },
    system,
    state,
    limitText: flags.limit,
    accept,
    again,
    reuse,
    update,
    out,
    reporter: readAt('--reporter', flags.reporter ?? 'pretty', choice(...reporters)),
    time: readTime(flags),
    as: readAsFlags(flags),
    asTexts: textsOf(flags, asRows),
    systemTexts: textsOf(flags, ofSystem),
    serve: serveArguments(flags),
    program,
    args,
  }
}

const aboutServices = ['ready', 'scale', 'kill', 'restart-after'] as const

/** The system of the flags, driven by the command after `--` where no file names a driver; undefined for one program. */
function systemOf(flags: FlagsOf<typeof flagRows>, driver: readonly string[]): System | undefined {
  const { system: file, service, ready } = flags
  const scale = readScale(flags.scale)
  if (file !== undefined) {
    if (service.length + ready.length > 0 || driver.length > 0)
      throw new UsageError(
        `--system ${file} names all services and the driver; leave out --service, --ready and the command`,
      )
    return readSystemFile(file, scale)
  }
  if (service.length === 0) {
    const given = aboutServices.find(name => [flags[name] ?? []].flat().length > 0)
    if (given === undefined) return undefined
    throw new UsageError(`--${given} is about a service of --system or --service; give one of them, too`)
  }
  return readServices({ service, ready, driver, scale })
}

/** The folder of `--put-back`, which needs no command; undefined without that flag. Throws UsageError without `--state`. */
export function folderToPutBack(given: readonly string[]): string | undefined {
  if (!given.includes('--put-back') || given.includes('--')) return undefined
  const { flags } = readFlags(given, flagRows)
  if (flags.state !== undefined) return flags.state
  throw new UsageError('--put-back puts the folder of --state back; give --state DIR, too')
}

/** A file that explore writes must not lie in the folder that it clears. */
function checkApart(flag: string, path: string, state: string): void {
  const place = relative(resolve(state), resolve(path))
  if (place === '' || !(place.startsWith('..') || isAbsolute(place)))
    throw new UsageError(
      `${flag} ${path} lies in --state ${state}, which is put back at the end; write it elsewhere`,
    )
}

/** `--virtual-time` is an old name of `--time virtual`. */
function readTime(flags: FlagsOf<typeof flagRows>): TimeChoice | undefined {
  const { time, 'virtual-time': isVirtual } = flags
  if (time === undefined) return isVirtual ? 'virtual' : undefined
  const read = readAt('--time', time, choice(...times))
  if (isVirtual && read !== 'virtual')
    throw new UsageError(`--virtual-time means --time virtual, and --time is ${read}; give one of them`)
  return read
}

/** The flags that `serve` has too, as arguments. */
export function serveArguments(flags: FlagsOf<typeof ofServe>): string[] {
  return textsOf(flags, ofServe)
}

/** Flags as they were given. */
function textsOf<Name extends string>(
  flags: Readonly<Record<NoInfer<Name>, string | readonly string[] | undefined>>,
  forms: Readonly<Record<Name, unknown>>,
): string[] {
  const names = Object.keys(forms) as Name[]
  return names.flatMap(name => [flags[name] ?? []].flat().flatMap(text => [`--${name}`, text]))
}

/** Reads `NAME=TEMPLATE`. Throws UsageError. */
export function readTemplate(text: string): { name: string; template: string } {
  const [, name, template] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || template === undefined)
    throw new UsageError(`--env: "${text}" is not of the form NAME=TEMPLATE`)
  return { name, template }
}
