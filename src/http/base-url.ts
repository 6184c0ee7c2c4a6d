import type { IncomingMessage } from 'node:http'
import type { Options } from '../options/config.ts'

/** The base of links in replies, without a slash at the end: the public URL when one is set, else where the request came to. */
export function baseUrlOf(
  request: IncomingMessage,
  { publicUrl, host, port }: Pick<Options, 'publicUrl' | 'host' | 'port'>,
): string {
  if (publicUrl) return publicUrl
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const given = request.headers.host
  return `${scheme}://${given !== undefined && isHost(given) ? given : `${hostInUrl(host)}:${port}`}`
}

const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** An address to listen on as a URL names it; one that means all of them is reached by loopback. */
export function hostInUrl(host: string): string {
  return loopbackOf[host] ?? (host.includes(':') ? `[${host}]` : host)
}

let lastHost = ''

/** Whether a Host header is a name or address with a port at most: nobody could follow a link made of anything else. */
export function isHost(text: string): boolean {
  // A client's requests mostly carry the same one.
  if (text === lastHost) return true
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text) || !URL.canParse(`http://${text}`)) return false
  lastHost = text
  return true
}
