import { hint, UsageError } from '../options/usage-error.ts'
import { parseDuration } from '../worlds/clock.ts'

export const reporters = ['pretty', 'json', 'junit', 'markdown', 'github'] as const
export type Reporter = (typeof reporters)[number]

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

const many = ['--env', '--only', '--skip']
const single = ['--jobs', '--limit', '--budget', '--accept', '--out', '--reporter']
const switches = ['--pairs', '--virtual-time']
const ofServe = ['--seed', '--now', '--config', '--scenario', '--clock']
const known = [...many, ...single, ...switches, ...ofServe]

/** Reads `[options] -- COMMAND [ARG…]`. Throws UsageError with the flag and the nearest known flag. */
export function readExploreFlags(given: readonly string[]): ExploreFlags {
  const at = given.indexOf('--')
  const { values, serve } = valuesIn(at < 0 ? given : given.slice(0, at))
  const [program, ...args] = at < 0 ? [] : given.slice(at + 1)
  if (program === undefined || program === '')
    throw new UsageError('No command: write gateway-emulator explore [options] -- COMMAND [ARG…]')
  const last = (name: string) => values.get(name)?.at(-1)
  const [accept, out] = [last('--accept'), last('--out')]
  return {
    env: (values.get('--env') ?? []).map(readTemplate),
    only: values.get('--only') ?? [],
    skip: values.get('--skip') ?? [],
    pairs: values.has('--pairs'),
    jobs: readJobs(last('--jobs') ?? '2'),
    limitMs: readTime('--limit', last('--limit') ?? '60s'),
    budgetMs: readTime('--budget', last('--budget') ?? '10m'),
    ...(accept !== undefined && { accept }),
    ...(out !== undefined && { out }),
    reporter: readReporter(last('--reporter') ?? 'pretty'),
    virtualTime: values.has('--virtual-time'),
    serve,
    program,
    args,
  }
}

function valuesIn(given: readonly string[]): { values: Map<string, string[]>; serve: string[] } {
  const values = new Map<string, string[]>()
  const serve: string[] = []
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] ?? ''
    if (!arg.startsWith('-')) throw new UsageError(`Unknown argument ${arg}: the command comes after --`)
    const [name = '', inline] = arg.split(/=(.*)/s)
    if (!known.includes(name)) throw new UsageError(`Unknown option ${name}${hint(name, known)}`)
    if (switches.includes(name)) {
      values.set(name, [])
      continue
    }
    const text = inline ?? given[++i]
    if (text === undefined) throw new UsageError(`${name} needs a value`)
    if (ofServe.includes(name)) serve.push(name, text)
    else values.set(name, [...(values.get(name) ?? []), text])
  }
  return { values, serve }
}

function readTemplate(text: string): { name: string; template: string } {
  const [, name, template] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || template === undefined)
    throw new UsageError(`--env: "${text}" is not of the form NAME=TEMPLATE`)
  return { name, template }
}

function readJobs(text: string): number {
  const jobs = Number(text)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64)
    throw new UsageError(`--jobs: "${text}" is not a whole number from 1 to 64`)
  return jobs
}

function readTime(flag: string, text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms === 0)
    throw new UsageError(`${flag}: "${text}" is not a length of time such as 20s, 10m or 1h30m`)
  return ms
}

function readReporter(text: string): Reporter {
  const names: readonly string[] = reporters
  if (!names.includes(text))
    throw new UsageError(`--reporter: "${text}" is not one of ${names.join(', ')}${hint(text, names)}`)
  return text as Reporter
}
