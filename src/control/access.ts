import type { IncomingMessage } from 'node:http'
import { isHost } from '../http/base-url.ts'
import type { Options } from '../options/config.ts'
import { ControlError } from './control-error.ts'

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/**
 * The control API answers only requests whose Host is loopback, the configured host or the public URL, and whose Origin, if any,
 * is one of those too: a web page elsewhere must not drive it, not even by a DNS name that leads here.
 */
export function checkAccess(request: IncomingMessage, options: AccessOptions): void {
  const refusal = accessRefusal(request, options)
  if (refusal) throw refusal
}

type AccessOptions = Pick<Options, 'host' | 'publicUrl'>

/** Why a request may not use the control API; undefined when it may. */
export function accessRefusal(
  { headers: { host, origin } }: Pick<IncomingMessage, 'headers'>,
  options: AccessOptions,
): ControlError | undefined {
  if (host !== undefined && !isOurs(hostName(host), options)) {
    const message = `The control API does not answer for the host ${host}. It answers for loopback names, the address of --host and the address of --public-url`
    const hint = `start the emulator with --public-url http://${isHost(host) ? host : 'HOST:PORT'}`
    return new ControlError(403, 'forbidden_host', message, { hint })
  }
  if (origin !== undefined && !(URL.canParse(origin) && isOurs(new URL(origin).hostname, options))) {
    const message = `The control API does not answer pages of the origin ${origin}`
    return new ControlError(403, 'forbidden_origin', message)
  }
  return undefined
}

function isOurs(name: string, { host, publicUrl }: AccessOptions): boolean {
  if (loopback.test(name)) return true
  const isUnspecified = host === '0.0.0.0' || host === '::'
  if (!isUnspecified && name === hostName(host.includes(':') ? `[${host}]` : host)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}

/** The name in a Host header as a URL has it, in small letters; the header itself when it is not a name. */
function hostName(host: string): string {
  return isHost(host) ? new URL(`http://${host}`).hostname : host
}
