import type { IncomingMessage } from 'node:http'
import { isHost } from '../http/base-url.ts'
import { hostName, isForeign, isOwnHost, type KnownNames } from '../http/origin.ts'
import { ControlError } from './control-error.ts'

/**
 * The control API answers only requests whose Host is loopback, the configured host or the public URL, and whose Origin, if any,
 * is one of these too. A web page of another site must not control the emulator, not even with a DNS name that resolves to it.
 */
export function checkAccess(request: IncomingMessage, options: KnownNames): void {
  const refusal = accessRefusal(request, options)
  if (refusal) throw refusal
}

/** Why a request may not use the control API; undefined when it may. */
export function accessRefusal(
  { headers: { host, origin } }: Pick<IncomingMessage, 'headers'>,
  options: KnownNames,
): ControlError | undefined {
  if (host !== undefined && !isOwnHost(hostName(host), options)) {
    const message = `The control API does not answer for the host ${host}. It answers for loopback names, the address of --host and the address of --public-url`
    const hint = `start the emulator with --public-url http://${isHost(host) ? host : 'HOST:PORT'}`
    return new ControlError(403, 'forbidden_host', message, { hint })
  }
  if (isForeign(origin, options)) {
    const message = `The control API does not answer pages of the origin ${origin}`
    return new ControlError(403, 'forbidden_origin', message)
  }
  return undefined
}
