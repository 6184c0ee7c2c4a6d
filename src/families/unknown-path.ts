import { FaultError } from '../faults/fault-error.ts'
import { callerOf } from '../http/account.ts'
import { plainSteps, type Surface } from '../pipeline/exchange.ts'
import { suggestion } from '../wording/did-you-mean.ts'
import { requestRandom } from '../worlds/world.ts'
import { commonHeaders } from './emulated.ts'
import { familyRoutes } from './index.ts'

/**
 * An unknown path: a plain JSON 404 (A-paths) with the common headers, so that a page of another origin can read it. With a key,
 * the journal of the key's world gets an entry, so that the caller can find a mistyped path.
 */
export const unknownPath: Surface<undefined> = {
  ...plainSteps,
  identify(exchange) {
    const { request, services } = exchange
    try {
      const caller = callerOf(request.headers.authorization, services.worlds)
      exchange.world = caller.world
      exchange.account = caller.account.id
    } catch {
      // An unknown path is a 404 with any key, also a wrong one (A-order).
    }
    exchange.requestId = requestRandom(exchange.world).hex(32)
  },
  handle({ path }) {
    const shown = path.slice(0, 200)
    throw new FaultError('not_found', { reason: `The path ${shown} does not exist${hintFor(shown)}` })
  },
  headers: commonHeaders,
  isJournaled: ({ request }) => request.headers.authorization !== undefined,
  refuse({ trace }, thrown) {
    if (!(thrown instanceof FaultError)) return undefined
    trace.fault = thrown.fault
    const { status, code } = wire[thrown.fault === 'not_found' ? 'not_found' : 'internal']
    return { status, body: { error: { code, message: thrown.message } } }
  },
}

const wire = {
  not_found: { status: 404, code: 'not_found' },
  internal: { status: 500, code: 'internal' },
} as const

/**
 * Spec, "Endpoints": "The `/api` prefix is mandatory; omitting it gives 404", and family C has "no `/api` prefix". The 404 gives
 * the right path when the path with or without the prefix exists.
 */
function hintFor(path: string): string {
  const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
  return familyRoutes().methods(other).length > 0 ? `; ${suggestion(other)}` : ''
}
