import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as elapse } from 'node:timers/promises'
import { hostInUrl } from '../http/base-url.ts'
import { type Options, readOptions } from '../options/config.ts'
import { readOnlyFlags } from '../options/flags.ts'
import { readUrl, time } from '../options/read-value.ts'
import { readAt } from '../options/usage-error.ts'

const pauseMs = 100
const answerMs = 2000
/** Options of `serve` that decide where it listens. */
const whereForms = { port: 'text', host: 'text', tls: 'text', config: 'text' } as const
const whereFlags = Object.keys(whereForms) as (keyof typeof whereForms)[]

/** Checks whether an emulator is running; with `--wait`, until it answers or the time is over. Exit code 1 when it does not answer. */
export async function run(args: string[]): Promise<number> {
  const flags = readOnlyFlags(args, { wait: 'text', 'base-url': 'text', ...whereForms })
  const { options } = readOptions(
    whereFlags.flatMap(name => (flags[name] === undefined ? [] : [`--${name}=${flags[name]}`])),
  )
  const { wait = '0s', 'base-url': base } = flags
  const bases = base === undefined ? ownBases(options) : [readAt('--base-url', base, readUrl)]
  const waitMs = readAt('--wait', wait, time(0))
  const until = performance.now() + waitMs
  for (;;) {
    const answer = await askAll(bases)
    if (answer !== undefined) {
      process.stdout.write(`${answer}\n`)
      return 0
    }
    if (performance.now() >= until) break
    await elapse(pauseMs)
  }
  process.stderr.write(`No emulator answers at ${bases.join(' or ')}\n`)
  return 1
}

/** The addresses where `serve` would listen: http and https, since `--tls` may have been a flag that this process does not see, as in a container's health check. */
function ownBases({ host, port, tls }: Options): string[] {
  const place = `${hostInUrl(host)}:${port}`
  return tls ? [`https://${place}`] : [`http://${place}`, `https://${place}`]
}

async function askAll(bases: readonly string[]): Promise<string | undefined> {
  for (const base of bases) {
    const answer = await ask(base)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The reply of the health endpoint; undefined without a reply. Certificates are not checked, since `--tls self` makes its own; no secret is sent. */
function ask(base: string): Promise<string | undefined> {
  const url = new URL(`${base}/__emulator/health`)
  return new Promise(resolve => {
    const answer = (response: IncomingMessage) => {
      text(response).then(
        body => resolve(response.statusCode === 200 ? body : undefined),
        () => resolve(undefined),
      )
    }
    const signal = AbortSignal.timeout(answerMs)
    const request =
      url.protocol === 'https:'
        ? https.get(url, { signal, rejectUnauthorized: false, agent: false }, answer)
        : http.get(url, { signal, agent: false }, answer)
    request.once('error', () => resolve(undefined))
  })
}
