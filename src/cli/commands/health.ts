import { setTimeout as elapse } from 'node:timers/promises'
import { hostInUrl, type Neighbour, neighbourAt, proxyHint } from '../../emulator/gateway.ts'
import {
  type FlagRows,
  namedUrl,
  type Options,
  readAt,
  readOnlyFlags,
  readOptions,
  time,
} from '../../emulator/options.ts'

const pauseMs = 100
/** The shortest time for one answer, wall ms: on a busy machine a healthy emulator needs seconds. */
const answerMs = 10_000
/** Options of `serve` that decide where it listens. */
const whereFlags = ['port', 'host', 'tls', 'config'] as const

export const flagRows = {
  wait: ['TIME', '0s', 'wait so long for an answer'],
  'base-url': ['URL', 'from the next four, else GATEWAY_EMULATOR_URL', 'the emulator to ask'],
  port: ['N', '8585', 'its port'],
  host: ['ADDRESS', '127.0.0.1', 'its address'],
  tls: ['MODE', 'http, then https', 'as for serve'],
  config: ['FILE', 'none', 'the file that has these options'],
} as const satisfies FlagRows

/**
 * Checks whether an emulator is running, at `--base-url`, else where the flags say, else at GATEWAY_EMULATOR_URL, else where `serve`
 * would listen; with `--wait`, until it answers or the time is over. Exit code 1 when it does not answer.
 */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, flagRows)
  const given = whereFlags.flatMap(name => (flags[name] === undefined ? [] : [`--${name}=${flags[name]}`]))
  const { options } = readOptions(given)
  const { wait = '0s', 'base-url': base } = flags
  const known = base === undefined && given.length > 0 ? undefined : namedUrl(base)
  const bases = known === undefined ? ownBases(options) : [known]
  const waitMs = readAt('--wait', wait, time(0))
  const until = performance.now() + waitMs
  for (;;) {
    const found = await neighbourAt(bases, Math.max(answerMs, Math.ceil(until - performance.now())))
    if (found.kind === 'emulator') {
      process.stdout.write(`${found.body}\n`)
      return 0
    }
    if (performance.now() >= until) {
      process.stderr.write(`${absence(found, bases)}\n`)
      return 1
    }
    await elapse(pauseMs)
  }
}

function absence(found: Exclude<Neighbour, { kind: 'emulator' }>, bases: readonly string[]): string {
  if (found.kind === 'other') return `${found.base} answers, and not as an emulator: ${found.said}`
  if (found.kind === 'refusing') return `${found.base} is an emulator that does not answer by this name`
  const hint = proxyHint(bases[0] ?? '')
  return `No emulator answers at ${bases.join(' or ')}${hint === undefined ? '' : ` (${hint})`}`
}

/** The addresses where `serve` would listen: http and https, since `--tls` may have been a flag that this process does not see, as in a container's health check. */
function ownBases({ host, port, tls }: Options): string[] {
  const place = `${hostInUrl(host)}:${port}`
  return tls ? [`https://${place}`] : [`http://${place}`, `https://${place}`]
}
