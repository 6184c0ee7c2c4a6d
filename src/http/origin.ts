import type { Options } from '../options/config.ts'
import { isHost } from './base-url.ts'

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/** The options that name this server. */
export type KnownNames = Pick<Options, 'host' | 'publicUrl'>

/** Whether a host name is a loopback name, the configured host or that of the public URL. */
export function isOwnHost(name: string, { host, publicUrl }: KnownNames): boolean {
  if (loopback.test(name)) return true
  const isUnspecified = host === '0.0.0.0' || host === '::'
  if (!isUnspecified && name === hostName(host.includes(':') ? `[${host}]` : host)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}

/** Whether an Origin header names a web page of another server. */
export function isForeign(origin: string | undefined, names: KnownNames): boolean {
  return origin !== undefined && !(URL.canParse(origin) && isOwnHost(new URL(origin).hostname, names))
}

/** The host name in a Host header, normalized as in a URL and in lower case; the header unchanged when it is not a valid host. */
export function hostName(host: string): string {
  return isHost(host) ? new URL(`http://${host}`).hostname : host
}
