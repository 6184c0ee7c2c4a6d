import type { IncomingMessage } from 'node:http'

/** Where this server listens, and its address for clients when that is another one. */
export interface OwnAddress {
  host: string
  port: number
  publicUrl?: string
}

/** The base of links in replies, without a slash at the end: the public URL when one is set, else the address that the request used. */
export function baseUrlOf(request: IncomingMessage, { publicUrl, host, port }: OwnAddress): string {
  if (publicUrl) return publicUrl
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const given = request.headers.host
  return `${scheme}://${given !== undefined && isHost(given) ? given : `${hostInUrl(host)}:${port}`}`
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
