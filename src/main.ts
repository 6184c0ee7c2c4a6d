#!/usr/bin/env node
import { hint, UsageError } from './options/usage-error.ts'

/** Each subcommand has its own file, which is loaded when it is used. */
const commands: Readonly<Record<string, () => Promise<{ run(args: string[]): Promise<number> }>>> = {
  serve: () => import('./commands/serve.ts'),
  openapi: () => import('./commands/openapi.ts'),
  doctor: () => import('./commands/doctor.ts'),
  tour: () => import('./commands/tour.ts'),
  health: () => import('./commands/health.ts'),
  selfcheck: () => import('./commands/selfcheck.ts'),
  scenarios: () => import('./commands/scenarios.ts'),
  explore: () => import('./commands/explore.ts'),
  failures: () => import('./commands/failures.ts'),
  compare: () => import('./commands/compare.ts'),
  config: () => import('./commands/config.ts'),
  record: () => import('./commands/record.ts'),
  requests: () => import('./commands/requests.ts'),
  mcp: () => import('./commands/mcp.ts'),
  help: () => import('./commands/help.ts'),
  version: () => import('./commands/version.ts'),
}

/** Exit codes: 0 stopped by a signal or done, 1 failed at run time, 2 wrong usage. */
async function main(args: string[]): Promise<number> {
  const [first = 'serve', ...rest] = args
  // Arguments after -- belong to the command of explore.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--help') || own.includes('-h')) return run('help', [first])
  if (first === '--version') return run('version', [])
  if (first.startsWith('-')) return run('serve', args)
  if (Object.hasOwn(commands, first)) return run(first, rest)
  throw new UsageError(`Unknown command ${first}${hint(first, Object.keys(commands))}`)
}

async function run(name: string, args: string[]): Promise<number> {
  const load = commands[name]
  if (!load) throw new UsageError(`Unknown command ${name}`)
  return (await load()).run(args)
}

main(process.argv.slice(2)).then(
  code => process.exit(code),
  error => {
    process.stderr.write(`gateway-emulator: ${error instanceof Error ? error.message : error}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)
