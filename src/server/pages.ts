import express, { type ErrorRequestHandler, type Express } from 'express'
import { consolePages } from './console-pages.ts'
import type { Services } from './services.ts'
import { refusePath } from './unknown-path.ts'

/** What Express carries: everything that no table names. */
export function createSite(services: Services): Express {
  const site = express()
  site.disable('x-powered-by')
  // "/__emulator" and "/__emulator/" are two paths: what the page loads is found relative to the second.
  site.enable('strict routing')
  site.get('/__emulator', (_request, response) => response.redirect('/__emulator/'))
  site.use('/__emulator/', consolePages())
  site.use((request, response) => {
    if (!request.path.startsWith('/__emulator')) return refusePath(services, request, response)
    const message = `The path ${request.path.slice(0, 200)} does not exist`
    response.status(404).json({ error: { code: 'not_found', message } })
  })
  site.use(answerFault(services))
  return site
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
