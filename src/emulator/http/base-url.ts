import type { IncomingMessage } from 'node:http'

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
  const isLoopback = Object.hasOwn(otherName, url.hostname) || url.hostname === '[::1]'
  return (
    hasLoopbackNames === true &&
    isLoopback &&
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
