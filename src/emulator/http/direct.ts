import http, { type Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { readKey } from '../worlds/names.ts'
import { isLoopback } from './origin.ts'

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
  return agent ? askDirectly(target, agent, asking) : fetch(url, asking)
}

/** `ask` for the control API and files of an emulator: the certificate of `--tls self` is its own. Never send a key by it. */
export function askEmulator(url: string, asking: Asking = {}): Promise<Response> {
  const target = new URL(url)
  const isOwn = target.protocol === 'https:' && directAgent(target) !== undefined
  return isOwn ? askDirectly(target, unchecked, asking) : ask(url, asking)
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
const withoutBody = [204, 205, 304]

async function askDirectly(target: URL, agent: Agent, { body, ...asking }: Asking): Promise<Response> {
  const send = target.protocol === 'https:' ? https.request : http.request
  const sent = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(target, { ...asking, agent }, resolve)
      request.once('error', error =>
        // The server may close an idle connection just when it is used again. Only a reading call may be sent twice.
        request.reusedSocket && asking.method === 'GET' ? sent().then(resolve, reject) : reject(error),
      )
      request.end(body)
    })
  const incoming = await sent()
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
