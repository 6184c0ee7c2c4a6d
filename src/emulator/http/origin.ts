import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from './loopback.ts'

/** Where this server listens, and its address for clients when that is another one. */
export interface OwnAddress {
  host: string
  port: number
  publicUrl?: string
  /** True when it listens itself, and `localhost` and 127.0.0.1 lead to it and to nobody else. */
  hasLoopbackNames?: boolean
}

/** The base address of a request, without a slash at the end: the public URL when one is set, else the address that the request used. */
export function baseUrlOf(request: IncomingMessage, { publicUrl, host, port }: OwnAddress): string {
  if (publicUrl) return publicUrl
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const given = request.headers.host
  return `${scheme}://${given !== undefined && isHost(given) ? given : `${hostInUrl(host)}:${port}`}`
}

const otherName: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' }
const plainBase = /^(https?):\/\/([^:/]+)(?::(\d+))?$/

/**
 * The base of result links for a client that reached this server at `baseUrl`. Links of the real gateway lead to another origin than
 * its API, so on loopback they name the other of `127.0.0.1` and `localhost` (A-link-origin). With the port of a proxy or of a
 * container that is published elsewhere, nobody knows whether the other name leads here.
 */
export function linkBase(baseUrl: string, { publicUrl, port, hasLoopbackNames }: OwnAddress): string {
  if (publicUrl !== undefined || !hasLoopbackNames) return baseUrl
  const [, scheme = '', , given] = plainBase.exec(baseUrl) ?? []
  return portOf(scheme, given) === port ? (withOtherName(baseUrl) ?? baseUrl) : baseUrl
}

/** A base address with the other of `127.0.0.1` and `localhost`; undefined for a base with neither. */
export function withOtherName(baseUrl: string): string | undefined {
  const name = plainBase.exec(baseUrl)?.[2] ?? ''
  const other = otherName[name.toLowerCase()]
  return other && baseUrl.replace(name, other)
}

/** Whether a URL leads to this server: by the address that a request used, or by any name of the loopback address. */
export function isOwnUrl(url: URL, baseUrl: string, { port, hasLoopbackNames }: OwnAddress): boolean {
  const base = new URL(baseUrl)
  if (url.origin === base.origin) return true
  return (
    hasLoopbackNames === true &&
    (Object.hasOwn(otherName, url.hostname) || url.hostname === '[::1]') &&
    url.protocol === base.protocol &&
    portOf(url.protocol.slice(0, -1), url.port) === port
  )
}

function portOf(scheme: string, given: string | undefined): number {
  return given ? Number(given) : scheme === 'https' ? 443 : 80
}

const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The host of a listen address in a URL. For an address that means "all interfaces" it is the loopback address. */
export function hostInUrl(host: string): string {
  return loopbackOf[host] ?? (host.includes(':') ? `[${host}]` : host)
}

/** The Host header of most requests, with a port below 60000: the URL parser would take 2 % of the time of a request. */
const usualHost = /^(localhost|127\.0\.0\.1|\[::1\])(:[1-5]?\d{1,4})?$/

/** Whether a Host header is a name or address with an optional port. A link made from anything else would not work. */
export function isHost(text: string): boolean {
  if (usualHost.test(text)) return true
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`)
}

/** Private and link-local networks (RFC 1918, 3927, 4193, 4291), and the address that browsers take for loopback. */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8)
privateNetworks.addSubnet('172.16.0.0', 12)
privateNetworks.addSubnet('192.168.0.0', 16)
privateNetworks.addSubnet('169.254.0.0', 16)
privateNetworks.addAddress('0.0.0.0')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/** Top-level names that no public host can have. */
const localEndings = ['.localhost', '.local', '.internal']

/** The names of this server. */
export type KnownNames = Pick<OwnAddress, 'host' | 'publicUrl'>

/** Which pages may use the emulated API. */
export interface CorsOption {
  cors: 'local' | 'any'
}

/** Whether a host name is a loopback name, the configured host or that of the public URL. */
export function isOwnHost(name: string, { host, publicUrl }: KnownNames): boolean {
  if (isLoopback(name)) return true
  const isUnspecified = host === '0.0.0.0' || host === '::'
  if (!isUnspecified && name === hostName(host.includes(':') ? `[${host}]` : host)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}

/** Whether a host is one where front ends are developed: this server's own, a private network, or a name that is not public. */
function isLocalHost(name: string, names: KnownNames): boolean {
  // `localhost.` is the same name as `localhost`, but `ai.` is a public one.
  const plain = name.replace(/\.$/, '')
  if (isOwnHost(plain, names) || isIn(privateNetworks, plain)) return true
  if (isIP(unbracketed(plain)) > 0) return false
  return !name.includes('.') || localEndings.some(ending => plain.endsWith(ending))
}

/** Whether an Origin header names a web page of another server. */
export function isForeign(origin: string | undefined, names: KnownNames): boolean {
  return origin !== undefined && !(URL.canParse(origin) && isOwnHost(new URL(origin).hostname, names))
}

/** Whether pages of an origin may use the emulated API and read files: those of places where front ends are developed, or all. */
function isAllowed(origin: string, options: CorsOption & KnownNames): boolean {
  if (options.cors === 'any') return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  // `capacitor://localhost` is an app on this machine. Browser extensions have names without a dot, and are no front ends.
  return /^https?:$/.test(protocol) ? isLocalHost(hostname, options) : isOwnHost(hostname, options)
}

/** The headers of a request that tell which page sent it. */
interface PageHeaders {
  host?: string | undefined
  origin?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
  'user-agent'?: string | undefined
}

/**
 * The page behind a request that pages must not send, in words; undefined when the request is allowed. Without an Origin, a browser's
 * mark tells it, and a public Host: with a DNS name that leads to this machine, a page of that name would be of the same origin.
 */
export function foreignPage(headers: PageHeaders, options: CorsOption & KnownNames): string | undefined {
  const { origin, host } = headers
  if (options.cors === 'any') return undefined
  if (origin !== undefined) return isAllowed(origin, options) ? undefined : `of the origin ${origin}`
  if (isCrossSite(headers)) return 'of another site'
  if (host === undefined || !isBrowser(headers)) return undefined
  const name = hostName(host)
  const isKnown = isIP(unbracketed(name)) > 0 || isLocalHost(name, options)
  return isKnown ? undefined : `of the host ${host}`
}

/** Whether a browser says that a page of another site sends the request. */
export function isCrossSite(headers: Pick<PageHeaders, 'sec-fetch-site'>): boolean {
  return headers['sec-fetch-site'] === 'cross-site'
}

function isBrowser({ 'sec-fetch-site': site, 'user-agent': agent = '' }: PageHeaders): boolean {
  return site !== undefined || agent.startsWith('Mozilla/')
}

/** The host name in a Host header, normalized as in a URL and in lower case; the header unchanged when it is not a valid host. */
export function hostName(host: string): string {
  return isHost(host) ? new URL(`http://${host}`).hostname : host
}

function isIn(networks: BlockList, name: string): boolean {
  const address = unbracketed(name)
  const version = isIP(address)
  return version > 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}
