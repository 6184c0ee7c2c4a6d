import express, { type Express } from 'express'
import { consolePages } from './console-pages.ts'
import type { Services } from './services.ts'

/** What Express carries: everything that no table names. */
export function createSite(_services: Services): Express {
  const site = express()
  site.disable('x-powered-by')
  // "/__emulator" and "/__emulator/" are two paths: what the page loads is found relative to the second.
  site.enable('strict routing')
  site.get('/__emulator', (_request, response) => response.redirect('/__emulator/'))
  site.use('/__emulator/', consolePages())
  site.use((request, response) => {
    const isControl = request.path.startsWith('/__emulator')
    const message = `The path ${request.path.slice(0, 200)} does not exist${hintFor(request.path)}`
    response.status(404)
    if (!isControl) response.set('X-Emulator-World', 'default')
    response.json({ error: { code: 'not_found', message } })
  })
  return site
}

/** Spec, "Endpoints": "The `/api` prefix is mandatory; omitting it gives 404". Here the 404 says so. */
function hintFor(path: string): string {
  return /^\/v[13]\//.test(path) ? `; did you mean /api${path.slice(0, 200)}?` : ''
}
