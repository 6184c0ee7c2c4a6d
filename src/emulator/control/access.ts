import type { IncomingMessage } from 'node:http'
import { isHost } from '../http/base-url.ts'
import { hostName, isCrossSite, isForeign, isOwnHost, type KnownNames } from '../http/origin.ts'
import { ControlError } from './control-error.ts'

/**
 * The control API answers only requests whose Host is loopback, the configured host or the public URL, and whose Origin, if any,
 * is one of these too, with any port: a front end that is developed here has a port of its own, and may move the clock. A page of
 * another site must not control the emulator, not even with a DNS name that resolves to it. Throws the refusal.
 */
export function checkAccess(request: Pick<IncomingMessage, 'headers'>, options: KnownNames): void {
  const refusal = accessRefusal(request, options)
  if (refusal) throw refusal
}

/** The same for a page of the console: a link on any site may open it in a tab, where no other page can read it. */
export function checkPageAccess({ headers }: Pick<IncomingMessage, 'headers'>, options: KnownNames): void {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target = 'document', ...others } = headers
  const isOpened = mode === 'navigate' && target === 'document'
  if (isOpened) delete others['sec-fetch-site']
  checkAccess({ headers: others }, options)
}

/** Why a request may not use the control API; undefined when it may. */
export function accessRefusal(
  { headers }: Pick<IncomingMessage, 'headers'>,
  options: KnownNames,
): ControlError | undefined {
  const { host, origin } = headers
  if (host !== undefined && !isOwnHost(hostName(host), options)) {
    const message = `The control API does not answer for the host ${host}. It answers for loopback names, the address of --host and the address of --public-url`
    const hint = `start the emulator with --public-url http://${isHost(host) ? host : 'HOST:PORT'}`
    return new ControlError(403, 'forbidden_host', message, { hint })
  }
  if (isForeign(origin, options)) {
    const message = `The control API does not answer pages of the origin ${origin}. It answers pages of loopback names, with any port, and of the hosts of --host and --public-url`
    const hint = origin === 'null' ? 'serve the page from http://localhost: a file has no origin' : undefined
    return new ControlError(403, 'forbidden_origin', message, { ...(hint && { hint }) })
  }
  // A picture or a frame of another site sends no Origin.
  if (origin === undefined && isCrossSite(headers)) {
    const message = 'The control API does not answer pages of other sites'
    return new ControlError(403, 'forbidden_origin', message)
  }
  return undefined
}
