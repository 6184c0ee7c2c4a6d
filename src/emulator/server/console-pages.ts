import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'
import { packagePath } from '../package/files.ts'
import { pageHeaders } from './page-headers.ts'

const built = packagePath('dist/console')

/** The console, the API reference, and their files. Paths are relative to `/__emulator`. */
export function consolePages(): Router {
  // Addresses in the pages are relative, so the slash at the end is needed.
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
    response.set(pageHeaders)
    // The callback is also called on success, and when the client disconnects early.
    response.sendFile(file, { root: built }, error => {
      if (error && !response.headersSent) next(error)
    })
  }
}

/** When the emulator runs from its sources, the console may not be built. */
function sayHowToBuild(response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .send('The console is not built yet: run "npm run build" and load this page again.\n')
}
