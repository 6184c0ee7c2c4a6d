import express, { type Request, type Response } from 'express'
import { badRequest } from '../control/control-error.ts'
import type { PageReply } from '../http/reply.ts'
import { consolePages } from './console-pages.ts'

/** What Express carries: the console, the API reference and their files. What it does not know goes back to the pipeline. */
export function createPages(): PageReply['serve'] {
  const site = express()
  site.disable('x-powered-by')
  // "/__emulator" and "/__emulator/" are two paths: what the page loads is found relative to the second.
  site.enable('strict routing')
  site.get('/__emulator', (_request, response) => response.redirect('/__emulator/'))
  site.use('/__emulator/', consolePages())
  return (request, response, otherwise) =>
    // Express itself makes its own kind of request and response out of the plain ones.
    site(request as Request, response as Response, (error?: unknown) => otherwise(error && faultOf(error)))
}

/** Express gives a fault a status where the request is to blame, such as a path that cannot be decoded. */
function faultOf(error: unknown): unknown {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  const isTheirs = typeof status === 'number' && status >= 400 && status < 500
  return isTheirs ? badRequest('The path cannot be read') : error
}
