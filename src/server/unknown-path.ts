import { familyRoutes } from '../families/routes.ts'
import { callerOf } from '../http/account.ts'
import { ApiError } from '../http/errors.ts'
import { requestRandom } from '../worlds/world.ts'
import { commonHeaders } from './emulated.ts'
import { plainSteps, type Surface } from './exchange.ts'

/**
 * A path that no table names: a plain JSON 404 (A-paths) with the headers of every reply, so that a page of another origin can read
 * it. With a key it is in the journal of the key's world, where the caller will look for a mistyped path.
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
      // The path is wrong whatever the key is, so a wrong key changes nothing (A-order).
    }
    exchange.requestId = requestRandom(exchange.world).hex(32)
  },
  handle({ path }) {
    const shown = path.slice(0, 200)
    throw new ApiError('not_found', { reason: `The path ${shown} does not exist${hintFor(shown)}` })
  },
  headers: commonHeaders,
  isJournaled: ({ request }) => request.headers.authorization !== undefined,
  refuse({ trace }, thrown) {
    if (!(thrown instanceof ApiError)) return undefined
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
 * Spec, "Endpoints": "The `/api` prefix is mandatory; omitting it gives 404", and family C has "no `/api` prefix". The 404 says so
 * where the path with or without the prefix exists.
 */
function hintFor(path: string): string {
  const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
  return familyRoutes().methods(other).length > 0 ? `; did you mean ${other}?` : ''
}
