import { linkPrefix } from '../../media/index.ts'
import { allowedOrigin, httpDate } from '../http/headers.ts'
import { plainSteps, type Surface } from '../pipeline/exchange.ts'

/** The allowed headers in the reply to a preflight that does not ask for headers. */
interface Allowed {
  methods: string
  headers: string
}

const ofCalls: Allowed = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  headers: 'Authorization, Content-Type',
}

const ofLinks: Allowed = {
  methods: 'GET, HEAD, OPTIONS',
  headers:
    'Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, X-Emulator-Scenario',
}

/**
 * Answers the request that a browser sends before a cross-origin request. It has no key, draws
 * nothing and is not in the journal.
 */
export const preflight: Surface<undefined> = {
  ...plainSteps,
  identify(exchange) {
    const [, prefix, name = ''] = exchange.path.split('/')
    const world = `/${prefix}/` === linkPrefix ? exchange.services.worlds.find(name) : undefined
    if (world) exchange.world = world
  },
  handle: ({ path, request }) => {
    const { methods, headers } = path.startsWith(linkPrefix) ? ofLinks : ofCalls
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? headers,
        'Access-Control-Max-Age': '86400',
        Vary: 'Origin, Access-Control-Request-Headers',
      },
    }
  },
  headers: ({ request, services }, now) => ({
    Date: httpDate(now),
    ...allowedOrigin(request.headers.origin, services.options),
  }),
  isJournaled: () => false,
  refuse: () => undefined,
}
