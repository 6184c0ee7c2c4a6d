import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { consolePages } from './console-pages.ts'
import { families } from './families/index.ts'
import type { Endpoint } from './http/endpoint.ts'
import { headersOf } from './http/respond.ts'
import { type Routes, routesOver } from './http/routes.ts'
import type { Services } from './services.ts'
import { nowIn, requestRandom } from './worlds/world.ts'

/** What Express carries: everything that no table names. */
export function createSite(services: Services): Express {
  const site = express()
  site.disable('x-powered-by')
  // "/__emulator" and "/__emulator/" are two paths: what the page loads is found relative to the second.
  site.enable('strict routing')
  site.get('/__emulator', (_request, response) => response.redirect('/__emulator/'))
  site.use('/__emulator/', consolePages())
  site.use((request, response) => {
    const message = `The path ${request.path.slice(0, 200)} does not exist${hintFor(request.path)}`
    if (!request.path.startsWith('/__emulator')) response.set(publicHeaders(request, services))
    response.status(404).json({ error: { code: 'not_found', message } })
  })
  site.use(answerFault(services))
  return site
}

/** A path that no family has still belongs to the emulated API: a page must be able to read what is said of it (A-headers). */
function publicHeaders({ headers }: Request, { worlds }: Services): Record<string, string> {
  const world = worlds.open('default')
  const common = headersOf({
    requestId: requestRandom(world).hex(32),
    world: world.id,
    now: nowIn(world),
    fromBrowser: headers.origin !== undefined,
  })
  return Object.fromEntries(Object.entries(common).map(([name, value]) => [name, String(value)]))
}

/** Express knows a fault by four parameters. It has a status where the request is to blame, such as a path that cannot be decoded. */
function answerFault({ log }: Services): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const status: unknown = error?.status
    const isTheirs = typeof status === 'number' && status >= 400 && status < 500
    if (!isTheirs) log.error({ err: error }, 'a page could not be served')
    if (response.headersSent) response.destroy()
    else if (isTheirs)
      response.status(status).json({ error: { code: 'bad_request', message: 'The path cannot be read' } })
    else response.status(500).json({ error: { code: 'internal', message: 'The page could not be served' } })
  }
}

let routes: Routes<{ endpoint: Endpoint }> | undefined

/**
 * Spec, "Endpoints": "The `/api` prefix is mandatory; omitting it gives 404", and family C has "no `/api` prefix". Here the 404 says
 * so, where the path with or without the prefix is one.
 */
function hintFor(path: string): string {
  routes ??= routesOver(families.flatMap(({ endpoints }) => endpoints.map(endpoint => ({ endpoint }))))
  const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
  return routes.methods(other).length > 0 ? `; did you mean ${other.slice(0, 200)}?` : ''
}
