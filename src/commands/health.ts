import { UsageError } from '../usage-error.ts'
import { parseDuration } from '../worlds/clock.ts'
import { readFlags } from './flags.ts'

const pauseMs = 100

/** Asks a running emulator how it is; with `--wait`, until it answers or the time is over. Exit code 1 when it does not answer. */
export async function run(args: string[]): Promise<number> {
  const flags = readFlags(args, ['--wait', '--base-url'])
  const port = process.env.GATEWAY_EMULATOR_PORT ?? '8585'
  const base = flags['--base-url'] ?? `http://127.0.0.1:${port}`
  const waitMs = flags['--wait'] === undefined ? 0 : parseDuration(flags['--wait'])
  if (waitMs === undefined) throw new UsageError(`--wait: ${flags['--wait']} is not a duration such as 10s`)
  const until = performance.now() + waitMs
  for (;;) {
    const answer = await ask(base)
    if (answer !== undefined) {
      process.stdout.write(`${answer}\n`)
      return 0
    }
    if (performance.now() >= until) break
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  process.stderr.write(`No emulator answers at ${base}\n`)
  return 1
}

async function ask(base: string): Promise<string | undefined> {
  try {
    const reply = await fetch(`${base}/__emulator/health`, { signal: AbortSignal.timeout(2000) })
    return reply.ok ? await reply.text() : undefined
  } catch {
    return undefined
  }
}
