import express, { type Request, type Response } from 'express'
import { badRequest } from '../control/control-error.ts'
import type { PageReply } from '../pipeline/reply.ts'
import { consolePages } from './console-pages.ts'
import { guidePagesRouter } from './guide-pages.ts'

/** The pages that Express serves: the console, the API reference, the guide and their files. Requests for other paths go back to the pipeline. */
export function createPages(): PageReply['serve'] {
  const site = express()
  site.disable('x-powered-by')
  // "/__emulator" and "/__emulator/" are two paths: the page's files are relative to the second.
  site.enable('strict routing')
  site.get('/__emulator', (_request, response) => response.redirect('/__emulator/'))
  site.use('/__emulator/', guidePagesRouter(), consolePages())
  return (request, response, otherwise) =>
    // Express changes plain requests and responses into its own type.
    site(request as Request, response as Response, (error?: unknown) => otherwise(error && faultOf(error)))
}

/** Express sets a status on errors that the request caused, such as a path that cannot be decoded. */
function faultOf(error: unknown): unknown {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  const isTheirs = typeof status === 'number' && status >= 400 && status < 500
  return isTheirs ? badRequest('The path cannot be read') : error
}
