import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { realTime } from '../worlds/clock.ts'
import { jsonIn } from '../worlds/json-depth.ts'
import { readKey } from '../worlds/record-values.ts'
import { isLoopback } from './loopback.ts'
import { hostInUrl, type OwnAddress } from './origin.ts'

type ListeningPlace = Pick<OwnAddress, 'host' | 'port'>

/** The error when a server cannot listen at an address. The message says what to do; the cause is the error of the system. */
export async function listenError(cause: unknown, place: ListeningPlace): Promise<Error> {
  const { host, port } = place
  const code = (cause as { code?: unknown } | undefined)?.code
  const advice = typeof code === 'string' && Object.hasOwn(advices, code) ? advices[code] : undefined
  if (advice) return Object.assign(new Error(await advice(place), { cause }), { code })
  return cause instanceof Error ? cause : new Error(`Cannot listen on ${host}:${port}: ${cause}`)
}

const otherPort = 'choose another with --port N; --port 0 picks a free one'
const otherHost = 'choose another with --host ADDRESS, such as 127.0.0.1 or 0.0.0.0'

const advices: Readonly<Record<string, (place: ListeningPlace) => string | Promise<string>>> = {
  EADDRINUSE: async place => `Port ${place.port} of ${place.host} is taken by ${await holder(place)}`,
  EACCES: ({ host, port }) => `This user may not listen on port ${port} of ${host}: ${otherPort}`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: ${otherHost}`,
  ENOTFOUND: ({ host }) => `The host ${host} has no address: ${otherHost}`,
}

/** How long a message about a taken port waits for who took it, wall ms. */
const askingMs = 2000
const mostNames = 5

async function holder({ host, port }: ListeningPlace): Promise<string> {
  const place = `${hostInUrl(host)}:${port}`
  const found = await neighbourAt([`http://${place}`, `https://${place}`], askingMs)
  switch (found.kind) {
    case 'silent':
      return `a program that does not answer: ${otherPort}`
    case 'foreign':
      return `a program that does not answer as an emulator does: ${otherPort}`
    case 'other':
      return `a program that does not answer as an emulator does (it answers ${found.said}): ${otherPort}`
    case 'refusing':
      return `an emulator that does not answer by the name ${host}: ${otherPort}`
    case 'emulator': {
      const { version, uptime_ms: upMs, pid, machine } = found.health
      const names = await worldsAt(found.base, askingMs)
      const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
      const facts = [
        `version ${version}`,
        pid !== undefined && `process ${pid}${machine === hostname() ? '' : ` of ${machine}`}`,
        upMs !== undefined && `since ${new Date(realTime.wallNow() - upMs).toISOString().slice(0, 19)}Z`,
        names.length > 0 && `worlds ${names.slice(0, mostNames).join(', ')}${more}`,
      ]
      return `an emulator (${facts.filter(Boolean).join(', ')}): use that one at ${found.base}, end it, or ${otherPort}`
    }
  }
}

/** A request as `fetch` takes it. */
export interface Asking {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal?: AbortSignal
}

/**
 * Connections to this machine. With `NODE_USE_ENV_PROXY`, `fetch` and Node's own agents go through the proxy of the environment, whose
 * loopback address is another one.
 */
const agents: Readonly<Record<string, Agent>> = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
}

/** The agent for an address of this machine, which no proxy stands before; undefined for another address: Node's own agent. Certificates are checked, since keys are sent. */
export function directAgent({ protocol, hostname }: URL): Agent | undefined {
  return isLoopback(hostname) ? agents[protocol] : undefined
}

/** `fetch`, and for an address of this machine the same without a proxy and without redirects. Rejects when there is no reply. */
export function ask(url: string, asking: Asking = {}): Promise<Response> {
  const target = new URL(url)
  const agent = directAgent(target)
  return agent ? send(target, asking, { agent }).then(replyOf) : fetch(url, asking)
}

/** `ask` for the control API and files of an emulator: the certificate of `--tls self` is its own. Never send a key by it. */
export function askEmulator(url: string, asking: Asking = {}): Promise<Response> {
  const target = new URL(url)
  const isOwn = target.protocol === 'https:' && directAgent(target) !== undefined
  return isOwn ? send(target, asking, { agent: unchecked }).then(replyOf) : ask(url, asking)
}

/** How to ask with a key: one of the emulator's own may go to any certificate of this machine, a real one only to a trusted certificate. */
export function askWith(key: string): typeof ask {
  return readKey(key) ? askEmulator : ask
}

/** Why a request failed, when the certificate is the cause; undefined for any other cause. */
export function certificateFault(error: unknown): string | undefined {
  const { code = '' } = error as { code?: string }
  return /CERT|UNABLE_TO_VERIFY/.test(code)
    ? `its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS names a file with one more to trust`
    : undefined
}

const unchecked = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
/** A connection of its own, which no proxy of the environment leads elsewhere, to whoever listens there: never send a secret by it. */
const toWhoever: https.RequestOptions = { agent: false, rejectUnauthorized: false }

function send(target: URL, asking: Asking, way: RequestOptions): Promise<IncomingMessage> {
  const open = target.protocol === 'https:' ? https.request : http.request
  return new Promise((resolve, reject) => {
    const request = open(target, { ...asking, ...way }, resolve)
    request.once('error', error =>
      // The server may close an idle connection just when it is used again. Only a reading call may be sent twice.
      request.reusedSocket && asking.method === 'GET'
        ? send(target, asking, way).then(resolve, reject)
        : reject(error),
    )
    request.end(asking.body)
  })
}

/** Asks the server at one end of a connection, whatever name and certificate it has. Never send a secret by it. */
export function askThere(
  { localAddress = '127.0.0.1', localPort }: Pick<Socket, 'localAddress' | 'localPort'>,
  url: string,
  asking: Asking,
): Promise<Response> {
  return send(new URL(url), asking, { ...toWhoever, hostname: localAddress, port: localPort ?? null }).then(
    replyOf,
  )
}

const withoutBody = [204, 205, 304]

function replyOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  if (withoutBody.includes(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers })
}

/** What decides whether Node leaves for a proxy: the environment, and whether this Node reads it at all. */
interface ProxySettings {
  environment: Readonly<Record<string, string | undefined>>
  isOn: boolean
}

/** Node 22.21, 24 and newer know the flag; older ones never use the environment's proxy. */
function ownSettings(): ProxySettings {
  const { env, execArgv, allowedNodeEnvironmentFlags } = process
  const words = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')]
  const isOn = env.NODE_USE_ENV_PROXY === '1' || words.includes('--use-env-proxy')
  return { environment: env, isOn: isOn && allowedNodeEnvironmentFlags.has('--use-env-proxy') }
}

/** Says that `fetch` of this process takes an address to a proxy of the environment, and how to change it; undefined when it does not. */
export function proxyHint(url: string, settings: ProxySettings = ownSettings()): string | undefined {
  const { protocol, hostname, port } = new URL(url)
  const { environment, isOn } = settings
  const scheme = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const name = [scheme, scheme.toUpperCase()].find(one => environment[one])
  if (!isOn || name === undefined) return undefined
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const spared = (environment.no_proxy ?? environment.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean)
  if (spared.some(entry => isSpared(entry, host, port))) return undefined
  return `${name} with NODE_USE_ENV_PROXY leads requests for ${host} to the proxy ${hostOf(environment[name])}: set NO_PROXY=${isLoopback(hostname) ? '127.0.0.1,localhost,::1' : host}`
}

/** An entry of NO_PROXY: `*`, a name with its subdomains, or one with a port. */
function isSpared(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = entry, onlyPort] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== undefined && onlyPort !== port) return false
  const plain = name.replace(/^\*?\.|^\[|\]$/g, '').toLowerCase()
  return host === plain || host.endsWith(`.${plain}`)
}

/** Without the password that its address may hold. */
function hostOf(proxy = ''): string {
  const text = proxy.includes('://') ? proxy : `http://${proxy}`
  return URL.canParse(text) ? new URL(text).host : 'that it names'
}

/** What listens at an address. `said` is what another server answered, in words; `refusing`: an emulator that does not answer by this name; `foreign`: something else than HTTP. */
export type Neighbour =
  | { kind: 'emulator'; base: string; body: string; health: Health }
  | { kind: 'other'; base: string; said: string }
  | { kind: 'refusing'; base: string }
  | { kind: 'foreign' | 'silent' }

/** A part of the reply of `GET /health`; older emulators do not tell their process. */
interface Health {
  version: string
  uptime_ms?: number
  pid?: number
  machine?: string
}

/** Asks the health endpoint below each of some addresses of one place at once, so that one that says nothing does not delay another. */
export async function neighbourAt(bases: readonly string[], withinMs: number): Promise<Neighbour> {
  const signal = AbortSignal.timeout(withinMs)
  const asked = bases.map(base =>
    get(`${base}/__emulator/health`, signal).then(reply => answered(base, reply), unanswered),
  )
  const emulators = asked.map(async one => ((await one).kind === 'emulator' ? one : Promise.reject(one)))
  return Promise.any(emulators).catch(async () => {
    const others = await Promise.all(asked)
    const kinds = ['refusing', 'other', 'silent', 'foreign'] as const
    return kinds.flatMap(kind => others.filter(one => one.kind === kind))[0] ?? { kind: 'silent' }
  })
}

interface Reply {
  status: number
  body: string
}

function answered(base: string, { status, body }: Reply): Neighbour {
  const reply = record(jsonIn(body))
  const { version, uptime_ms, pid, machine } = reply
  if (status === 200 && reply.status === 'ok' && typeof version === 'string') {
    const health = {
      version: plain(version),
      ...(Number.isSafeInteger(uptime_ms) && { uptime_ms: Number(uptime_ms) }),
      ...(Number.isSafeInteger(pid) && { pid: Number(pid) }),
      ...(typeof machine === 'string' && { machine: plain(machine) }),
    }
    return { kind: 'emulator', base, body, health }
  }
  const { code, message } = record(reply.error)
  if (code === 'forbidden_host' || code === 'forbidden_origin') return { kind: 'refusing', base }
  return { kind: 'other', base, said: `${status}${typeof message === 'string' ? `: ${plain(message)}` : ''}` }
}

/** A server of another protocol answers something that is not HTTP, or closes the connection. */
function unanswered(error: unknown): Neighbour {
  const code = String((error as NodeJS.ErrnoException).code)
  return { kind: /^(HPE_|EPROTO|ERR_SSL|ECONNRESET)/.test(code) ? 'foreign' : 'silent' }
}

/** The names of the worlds of an emulator; none when it does not tell them in time. */
async function worldsAt(base: string, withinMs: number): Promise<readonly string[]> {
  const reply = await get(`${base}/__emulator/worlds`, AbortSignal.timeout(withinMs)).catch(() => undefined)
  const { items } = record(jsonIn(reply?.body ?? ''))
  const ids = Array.isArray(items) ? items.map(item => record(item).id) : []
  return ids.flatMap(id => (typeof id === 'string' ? [plain(id)] : []))
}

/** Certificates are not checked, since `--tls self` makes its own; no secret is sent. */
async function get(address: string, signal: AbortSignal): Promise<Reply> {
  const reply = await send(new URL(address), { method: 'GET', signal }, toWhoever)
  return { status: reply.statusCode ?? 0, body: await text(reply) }
}

/** The words of another program, as a terminal may show them. */
function plain(said: string): string {
  return said.slice(0, 300).replace(/\p{C}/gu, '\ufffd')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
