import type { IncomingMessage } from 'node:http'
import { isHost } from '../http/base-url.ts'
import type { Options } from '../options/config.ts'
import { ControlError } from './control-error.ts'

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/**
 * The control API answers only requests whose Host is loopback, the configured host or the public URL, and whose Origin, if any,
 * is one of those too: a web page elsewhere must not drive it, not even by a DNS name that leads here.
 */
export function checkAccess(request: IncomingMessage, options: Pick<Options, 'host' | 'publicUrl'>): void {
  const { host, origin } = request.headers
  if (host !== undefined && !isOurs(hostName(host), options)) {
    throw new ControlError(403, 'forbidden_host', `The control API does not answer for the host ${host}`)
  }
  if (origin !== undefined && !(URL.canParse(origin) && isOurs(new URL(origin).hostname, options))) {
    throw new ControlError(
      403,
      'forbidden_origin',
      `The control API does not answer pages of the origin ${origin}`,
    )
  }
}

function isOurs(name: string, { host, publicUrl }: Pick<Options, 'host' | 'publicUrl'>): boolean {
  if (loopback.test(name)) return true
  const isUnspecified = host === '0.0.0.0' || host === '::'
  if (!isUnspecified && name === hostName(host.includes(':') ? `[${host}]` : host)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}

/** The name in a Host header as a URL has it, in small letters; the header itself when it is none, which is nobody's name. */
function hostName(host: string): string {
  return isHost(host) ? new URL(`http://${host}`).hostname : host
}
