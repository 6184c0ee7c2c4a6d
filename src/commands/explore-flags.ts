import { defaults, readJobs, readLength } from '../explore/options.ts'
import { type Reporter, reporters } from '../explore/reports.ts'
import { type FlagsOf, readFlags } from '../options/flags.ts'
import { choice } from '../options/read-value.ts'
import { readAt, UsageError } from '../options/usage-error.ts'

/** The parsed command line of `explore`. */
export interface ExploreFlags {
  env: { name: string; template: string }[]
  only: string[]
  skip: string[]
  pairs: boolean
  jobs: number
  limitMs: number
  budgetMs: number
  accept?: string
  out?: string
  reporter: Reporter
  virtualTime: boolean
  /** Flags of `serve`, unchanged. */
  serve: string[]
  program: string
  args: string[]
}

const ofServe = { seed: 'text', now: 'text', config: 'text', scenario: 'texts', clock: 'text' } as const
const forms = {
  env: 'texts',
  only: 'texts',
  skip: 'texts',
  jobs: 'text',
  limit: 'text',
  budget: 'text',
  accept: 'text',
  out: 'text',
  reporter: 'text',
  pairs: 'switch',
  'virtual-time': 'switch',
  ...ofServe,
} as const

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
    jobs = String(defaults.jobs),
    limit = defaults.limit,
    budget = defaults.budget,
    accept,
    out,
  } = flags
  return {
    env: env.map(readTemplate),
    only: [...only],
    skip: [...skip],
    pairs,
    jobs: readAt('--jobs', jobs, readJobs),
    limitMs: readAt('--limit', limit, readLength),
    budgetMs: readAt('--budget', budget, readLength),
    ...(accept !== undefined && { accept }),
    ...(out !== undefined && { out }),
    reporter: readAt('--reporter', flags.reporter ?? 'pretty', choice(...reporters)),
    virtualTime: flags['virtual-time'],
    serve: serveArguments(flags),
    program,
    args,
  }
}

/** The flags that `serve` has too, as arguments. */
function serveArguments(flags: FlagsOf<typeof ofServe>): string[] {
  return Object.keys(ofServe).flatMap(name =>
    [flags[name as keyof typeof ofServe] ?? []].flat().flatMap(text => [`--${name}`, text]),
  )
}

function readTemplate(text: string): { name: string; template: string } {
  const [, name, template] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || template === undefined)
    throw new UsageError(`--env: "${text}" is not of the form NAME=TEMPLATE`)
  return { name, template }
}
