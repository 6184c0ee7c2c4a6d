import { BlockList, isIP } from 'node:net'
import { isHost, type OwnAddress } from './base-url.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

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

/** Whether a host of a URL, or an address, is of this machine alone. */
export function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$/i.test(name) || isIn(loopback, name)
}

function isIn(networks: BlockList, name: string): boolean {
  const address = unbracketed(name)
  const version = isIP(address)
  return version > 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}
