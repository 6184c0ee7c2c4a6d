import { isAbsolute, relative, resolve } from 'node:path'
import { choice, type FlagsOf, readAt, readFlags, UsageError } from '../../emulator/options.ts'
import {
  asksForRestarts,
  defaults,
  type Reporter,
  readFailOn,
  readJobs,
  readLength,
  readNeed,
  reporters,
  type Settings,
  type TimeChoice,
  times,
} from '../../explore/explore.ts'

import { type AsFlags, asForms, readAsFlags } from './as-flags.ts'

/** The parsed command line of `explore`. */
export interface ExploreFlags {
  env: { name: string; template: string }[]
  /** What the settings of the exploration take unchanged. */
  chosen: Pick<
    Settings,
    | 'only'
    | 'skip'
    | 'pairs'
    | 'restarts'
    | 'patience'
    | 'withoutResult'
    | 'needs'
    | 'jobs'
    | 'limitMs'
    | 'budgetMs'
    | 'failOn'
  >
  /** The folder that the program always uses; absent: an empty one for each case. */
  state?: string
  /** The limit as the user wrote it; absent: the default. */
  limitText?: string
  accept?: string
  /** Writes the file of `--accept`. */
  update: boolean
  out?: string
  reporter: Reporter
  /** Absent: `real` with a clock that moves by itself, else `auto`. */
  time?: TimeChoice
  /** The hosts whose place the emulator takes. */
  as: AsFlags
  /** Those flags as they were given. */
  asTexts: string[]
  /** Flags of `serve`, unchanged. */
  serve: string[]
  program: string
  args: string[]
}

/** The flags of `serve` that worlds of a program have, too. */
export const ofServe = {
  seed: 'text',
  now: 'text',
  config: 'text',
  scenario: 'texts',
  clock: 'text',
} as const
const forms = {
  env: 'texts',
  only: 'texts',
  skip: 'texts',
  jobs: 'text',
  limit: 'text',
  budget: 'text',
  accept: 'text',
  'fail-on': 'text',
  out: 'text',
  reporter: 'text',
  time: 'text',
  pairs: 'switch',
  restarts: 'switch',
  state: 'text',
  'put-back': 'switch',
  patience: 'switch',
  'without-result': 'switch',
  need: 'texts',
  update: 'switch',
  'virtual-time': 'switch',
  ...asForms,
  ...ofServe,
} as const

/** The name of an option of `explore`, without its dashes. */
export type ExploreFlag = keyof typeof forms

/** Reads `[options] -- COMMAND [ARG…]`. Throws UsageError with the flag and the nearest known flag. */
export function readExploreFlags(given: readonly string[]): ExploreFlags {
  const at = given.indexOf('--')
  const { flags, words } = readFlags(at < 0 ? given : given.slice(0, at), forms)
  if (words.length > 0) throw new UsageError(`Unknown argument ${words[0]}: the command comes after --`)
  const [program, ...args] = at < 0 ? [] : given.slice(at + 1)
  if (program === undefined || program === '')
    throw new UsageError('No command: write gateway-emulator explore [options] -- COMMAND [ARG…]')
  const {
    env,
    only,
    skip,
    pairs,
    state,
    jobs,
    limit = defaults.limit,
    budget = defaults.budget,
    accept,
    update,
    out,
  } = flags
  if (update && accept === undefined)
    throw new UsageError('--update writes the file of --accept; give --accept FILE, too')
  const restarts = flags.restarts || asksForRestarts(only)
  if (restarts && pairs)
    throw new UsageError('--restarts kills the program, and --pairs joins two failures; give one of them')
  if (state !== undefined && out !== undefined) checkApart('--out', out, state)
  if (state !== undefined && accept !== undefined) checkApart('--accept', accept, state)
  return {
    env: env.map(readTemplate),
    chosen: {
      only,
      skip,
      pairs,
      restarts,
      ...(jobs !== undefined && { jobs: readAt('--jobs', jobs, readJobs) }),
      // All cases share the folder.
      ...(state !== undefined && { jobs: 1 }),
      patience: flags.patience ? 'all' : flags.need.length > 0 ? 'needed' : 'off',
      withoutResult: flags['without-result'],
      needs: flags.need.map(text => readAt('--need', text, readNeed)),
      limitMs: readAt('--limit', limit, readLength),
      budgetMs: readAt('--budget', budget, readLength),
      failOn: readAt('--fail-on', flags['fail-on'] ?? defaults.failOn, readFailOn),
    },
    ...(state !== undefined && { state }),
    ...(flags.limit !== undefined && { limitText: flags.limit }),
    ...(accept !== undefined && { accept }),
    update,
    ...(out !== undefined && { out }),
    reporter: readAt('--reporter', flags.reporter ?? 'pretty', choice(...reporters)),
    ...readTime(flags),
    as: readAsFlags(flags),
    asTexts: textsOf(flags, asForms),
    serve: serveArguments(flags),
    program,
    args,
  }
}

/** The folder of `--put-back`, which needs no command; undefined without that flag. Throws UsageError without `--state`. */
export function folderToPutBack(given: readonly string[]): string | undefined {
  if (!given.includes('--put-back') || given.includes('--')) return undefined
  const { flags } = readFlags(given, forms)
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
function readTime(flags: FlagsOf<typeof forms>): { time?: TimeChoice } {
  const { time, 'virtual-time': isVirtual } = flags
  if (time === undefined) return isVirtual ? { time: 'virtual' } : {}
  const read = readAt('--time', time, choice(...times))
  if (isVirtual && read !== 'virtual')
    throw new UsageError(`--virtual-time means --time virtual, and --time is ${read}; give one of them`)
  return { time: read }
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
