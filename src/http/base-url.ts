import type { IncomingMessage } from 'node:http'
import type { Options } from '../config.ts'

/** The base of links in replies, without a slash at the end: the public URL when one is set, else where the request came to. */
export function baseUrlOf(
  request: IncomingMessage,
  { publicUrl, host, port }: Pick<Options, 'publicUrl' | 'host' | 'port'>,
): string {
  if (publicUrl) return publicUrl
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  return `${scheme}://${request.headers.host ?? `${host}:${port}`}`
}
