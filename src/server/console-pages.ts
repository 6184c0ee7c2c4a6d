import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'
import { packagePath } from '../package/files.ts'

const built = packagePath('dist/console')

/**
 * Pages may load, ask and play only what comes from here: the browser itself sees to it that nothing is asked outside.
 * Styles may stand in the page, since bars are placed by them.
 */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The console, the API reference, and the files that they are made of. Paths stand below `/__emulator`. */
export function consolePages(): Router {
  // Addresses in the pages are relative, so the slash at the end matters.
  const router = Router({ strict: true })
  router.use(
    '/static',
    express.static(join(built, 'static'), { immutable: true, maxAge: '365d', index: false }),
  )
  router.get('/', page('index.html'))
  router.get('/docs', page('docs.html'))
  router.get(['/docs/', '/worlds/:world/docs'], (_request, response) => response.redirect('/__emulator/docs'))
  router.get('/worlds/:world/', (request, response) =>
    response.redirect(`/__emulator/?world=${encodeURIComponent(request.params.world)}`),
  )
  return router
}

function page(file: string): RequestHandler {
  return (_request, response, next) => {
    if (!existsSync(join(built, file))) return sayHowToBuild(response)
    response.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'same-origin',
    })
    // The callback is also called when all went well, and when the client left before it had everything.
    response.sendFile(file, { root: built }, error => {
      if (error && !response.headersSent) next(error)
    })
  }
}

/** From the sources, nothing is built by itself. */
function sayHowToBuild(response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .send('The console is not built yet: run "npm run build" and load this page again.\n')
}
