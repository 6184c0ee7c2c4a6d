import type { IncomingMessage } from 'node:http'
import { isGenuine, type parseLink } from '../../media/index.ts'
import { foreignPage, isCrossSite } from '../http/origin.ts'
import { plainSteps, type Surface } from '../pipeline/exchange.ts'
import type { Services } from '../pipeline/services.ts'

/**
 * A request of the emulated API by a web page of a public origin. The keys are known, so such a page must not act: it is refused
 * before anything is drawn or journaled, with a line in the log.
 */
export const refusedPage: Surface<{ page: string }> = {
  ...plainSteps,
  identify() {},
  handle({ target, services, request, path }) {
    const what = `${request.method} ${path.slice(0, 100)}`.replace(/[^\x20-\x7e]/g, '?')
    const message = `Web pages ${target.page.slice(0, 200)} may not use the emulated API; start it with --cors any to allow pages of every origin`
    services.log.info({ request: what }, `${what} was refused: ${message.replace(/[^\x20-\x7e]/g, '?')}`)
    return { status: 403, body: { error: { code: 'forbidden_origin', message } } }
  },
  headers: () => ({}),
  isJournaled: () => false,
  refuse: () => undefined,
}

/** The page that a call of the emulated API is refused for, in words; undefined when it is allowed. */
export function pageBehindCall({ headers }: IncomingMessage, { options }: Services): string | undefined {
  return foreignPage(headers, options)
}

interface Linked {
  request: IncomingMessage
  services: Services
  path: string
  link: ReturnType<typeof parseLink>
}

/** The same for a result link. Any page may show a file by its signed link, as it may upstream; only its Origin matters. */
export function pageBehindLink({ request, services, path, link }: Linked): string | undefined {
  const { headers } = request
  if (headers.origin !== undefined) return foreignPage(headers, services.options)
  const world = link && services.worlds.find(link.world)
  const isSigned = link && world && isGenuine(world, path, link.expires, link.signature)
  return !isSigned && isCrossSite(headers) ? foreignPage(headers, services.options) : undefined
}
