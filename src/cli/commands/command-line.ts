import { packageVersion } from '../../emulator/ground.ts'
import { type FlagRows, hint, UsageError } from '../../emulator/options.ts'
import { runUntilRead } from './output.ts'

interface Command {
  run(args: string[]): Promise<number>
  /** Absent for one that takes only options of `serve`. */
  flagRows?: FlagRows
}

/** Each subcommand has its own file, which is loaded when it is used. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import('./serve.ts'),
  openapi: () => import('./openapi.ts'),
  doctor: () => import('./doctor.ts'),
  tour: () => import('./tour.ts'),
  health: () => import('./health.ts'),
  selfcheck: () => import('./selfcheck.ts'),
  scenarios: () => import('./scenarios.ts'),
  explore: () => import('./explore.ts'),
  run: () => import('./run.ts'),
  failures: () => import('./failures.ts'),
  compare: () => import('./compare.ts'),
  config: () => import('./config.ts'),
  record: () => import('./record.ts'),
  requests: () => import('./requests.ts'),
  trace: () => import('./trace.ts'),
  mcp: () => import('./mcp.ts'),
  help: async () => ({ run: ([name]) => print(helpOf(name)) }),
  version: async () => ({ run: () => print(`${packageVersion()}\n`) }),
}

/** What other programs call it, and the words that do it here. */
const otherWords: Readonly<Record<string, string>> = {
  start: 'serve (or nothing: it is the default)',
  up: 'serve (or nothing: it is the default)',
  stop: 'nothing: SIGTERM or Ctrl+C ends a running emulator',
  demo: 'tour',
  ls: 'scenarios list',
  '-v': '--version',
  '-V': '--version',
}

/** Runs a command line as the program does: the process may end with the exit code. */
export function runProgram(args: string[]): Promise<number> {
  return runUntilRead(() => runCommandLine(args))
}

/** Runs a command line to its end. Gives the exit code: 0 stopped by a signal or done, 1 failed at run time, 2 wrong usage. */
export async function runCommandLine(args: string[]): Promise<number> {
  try {
    return await dispatched(args)
  } catch (error) {
    process.stderr.write(`gateway-emulator: ${error instanceof Error ? error.message : error}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function dispatched(args: string[]): Promise<number> {
  const [first = 'serve', ...rest] = args
  // Arguments after -- belong to the command of explore and run.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--help') || own.includes('-h')) return run('help', [first])
  if (first === '--version') return run('version', [])
  const ours = Object.hasOwn(otherWords, first) ? otherWords[first] : undefined
  if (ours)
    throw new UsageError(`Unknown ${first.startsWith('-') ? 'option' : 'command'} ${first}; you want ${ours}`)
  if (first.startsWith('-')) return run('serve', args)
  if (Object.hasOwn(commands, first)) return run(first, rest)
  throw new UsageError(`Unknown command ${first}${hint(first, Object.keys(commands))}`)
}

async function run(name: string, args: string[]): Promise<number> {
  const load = commands[name]
  if (!load) throw new UsageError(`Unknown command ${name}`)
  return (await load()).run(args)
}

/** The help of a command; without the name of one, all commands and the options of `serve`. */
export async function helpOf(name?: string): Promise<string> {
  const { helpText } = await import('./help.ts')
  return helpText(name, name === undefined ? undefined : await flagRowsOf(name))
}

/** The options of a command; undefined for one that takes only those of `serve`, and for a word that is no command. */
export async function flagRowsOf(name: string): Promise<FlagRows | undefined> {
  return Object.hasOwn(commands, name) ? (await commands[name]?.())?.flagRows : undefined
}

async function print(text: string | Promise<string>): Promise<number> {
  process.stdout.write(await text)
  return 0
}
