import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { hostInUrl } from '../http/base-url.ts'
import { UsageError } from '../usage-error.ts'
import { parseDuration } from '../worlds/clock.ts'
import { readFlags } from './flags.ts'

const pauseMs = 100
const answerMs = 2000

/** Asks a running emulator how it is; with `--wait`, until it answers or the time is over. Exit code 1 when it does not answer. */
export async function run(args: string[]): Promise<number> {
  const flags = readFlags(args, ['--wait', '--base-url'])
  const base = flags['--base-url']?.replace(/\/+$/, '') ?? ownBase(process.env)
  if (!/^https?:\/\/./.test(base) || !URL.canParse(base))
    throw new UsageError(`--base-url: ${JSON.stringify(base)} is not an http or https address`)
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

/** Where an emulator of the same environment listens, as seen from this machine. */
function ownBase(environment: NodeJS.ProcessEnv): string {
  const set = (name: string) => environment[`GATEWAY_EMULATOR_${name}`] || undefined
  const host = hostInUrl(set('HOST') ?? '127.0.0.1')
  return `${set('TLS') ? 'https' : 'http'}://${host}:${set('PORT') ?? '8585'}`
}

/** What health answers; undefined while nobody does. A certificate made at start is nobody's, so none is checked: no secret is told here. */
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
