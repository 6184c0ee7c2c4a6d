import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as elapse } from 'node:timers/promises'
import { hostInUrl } from '../http/base-url.ts'
import { readOptions } from '../options/config.ts'
import { readOnlyFlags, readUrl, time } from '../options/read-value.ts'
import type { Options } from '../options/table.ts'
import { readAt } from '../options/usage-error.ts'

const pauseMs = 100
/** The shortest time for one answer, wall ms: on a busy machine a healthy emulator needs seconds. */
const answerMs = 10_000
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
    const answer = await askAll(bases, Math.max(answerMs, Math.ceil(until - performance.now())))
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

/** The first reply. The addresses are asked at once, so that one that says nothing does not delay the other. */
function askAll(bases: readonly string[], withinMs: number): Promise<string | undefined> {
  return Promise.any(bases.map(base => ask(base, AbortSignal.timeout(withinMs)))).catch(() => undefined)
}

/** The reply of the health endpoint; rejects without one. Certificates are not checked, since `--tls self` makes its own; no secret is sent. */
function ask(base: string, signal: AbortSignal): Promise<string> {
  const url = new URL(`${base}/__emulator/health`)
  return new Promise((resolve, reject) => {
    const answer = (response: IncomingMessage) => {
      text(response).then(body => {
        if (response.statusCode === 200) resolve(body)
        else reject(new Error(`${response.statusCode}`))
      }, reject)
    }
    const request =
      url.protocol === 'https:'
        ? https.get(url, { signal, rejectUnauthorized: false, agent: false }, answer)
        : http.get(url, { signal, agent: false }, answer)
    request.once('error', reject)
  })
}
