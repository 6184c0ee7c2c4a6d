import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { badRequest } from '../control/control-error.ts'
import {
  contentsPath,
  type GuidePage,
  guidePages,
  guideText,
  linkedFiles,
  withGuideLinks,
} from '../guide/contents.ts'
import { guideHtml } from '../guide/html.ts'
import { withOtherName } from '../http/origin.ts'
import { fixturePath, packagePath } from '../package/files.ts'
import type { PageReply } from '../pipeline/exchange.ts'

/**
 * Pages may load, request and play only files of this server; the browser enforces this.
 * Inline styles are allowed, since they position the bars.
 */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  // A report that was opened in the console.
  'frame-src blob:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The headers of every page: the console and the guide. */
const pageHeaders = {
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'same-origin',
} as const

/** The guide: its pages as HTML, or as Markdown for an address that ends in `.md` or an `Accept` that asks for it. */
function guidePagesRouter(): Router {
  const router = Router({ strict: true })
  router.get(['/guide', '/guide.md'], show)
  router.get('/guide/', (_request, response) => response.redirect('/__emulator/guide'))
  router.get('/guide/:page', show)
  router.get('/demo', showDemo)
  router.use('/guide/look', express.static(fixturePath('guide')), express.static(fixturePath('report')))
  for (const path of linkedFiles)
    router.use(`/guide/files/${path}`, plainText, express.static(packagePath(path), { index: false }))
  return router
}

const show: RequestHandler = (request, response, next) => {
  const { page: asked } = request.params
  if (asked === undefined) return send(request, response)
  const page = guidePages().find(({ name }) => asked === name || asked === `${name}.md`)
  if (page) send(request, response, page)
  else next()
}

function send(request: Request, response: Response, page?: GuidePage): void {
  const from = page?.path ?? contentsPath
  const prefix = page ? '' : 'guide/'
  const markdown = guideText(from)
  const isMarkdown = request.path.endsWith('.md') || request.accepts('html', 'text/markdown') !== 'html'
  response.set(pageHeaders).vary('Accept')
  if (isMarkdown)
    response
      .type('text/markdown; charset=utf-8')
      .send(withGuideLinks(markdown, { from, prefix, suffix: '.md' }))
  else
    response
      .type('html')
      .send(guideHtml({ markdown, ...(page && { page }), style: { from, prefix, suffix: '' } }))
}

/** Examples are sent as plain text, so that a browser shows them. Pictures keep their own type. */
const plainText: RequestHandler = (request, response, next) => {
  if (!/\.(png|mp4|mov|jpe?g|webp|mp3|wav|ttf)$/.test(request.path))
    response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
  next()
}

const firstScript = '<script type="module">'

/** The front end of the guide's examples, running: `fixtures/guide/demo.js` gives it this address and lets it wait in its world's time. */
const showDemo: RequestHandler = (request, response) => {
  const example = guideText('docs/examples/front-end.html')
  const own = example.slice(example.indexOf(firstScript) + firstScript.length, example.indexOf('</script>'))
  const digest = createHash('sha256').update(own).digest('base64')
  const base = `${request.protocol}://${request.headers.host}`
  const policy = pageHeaders['Content-Security-Policy'].replace(
    'media-src',
    `media-src ${withOtherName(base) ?? ''}`,
  )
  response
    .set(pageHeaders)
    .set('Content-Security-Policy', `${policy}; script-src 'self' 'sha256-${digest}'`)
    .type('html')
    .send(example.replace(firstScript, `<script src="guide/look/demo.js"></script>\n${firstScript}`))
}

/** The pages that Express serves: the console, the guide and their files. Requests for other paths go back to the pipeline. */
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

const built = packagePath('dist/console')

/** The console and its files. Paths are relative to `/__emulator`. */
function consolePages(): Router {
  // Addresses in the pages are relative, so the slash at the end is needed.
  const router = Router({ strict: true })
  router.use(
    '/static',
    express.static(join(built, 'static'), { immutable: true, maxAge: '365d', index: false }),
  )
  router.get('/', page('index.html'))
  router.get(['/docs', '/docs/', '/worlds/:world/docs'], (_request, response) =>
    response.redirect('/__emulator/guide'),
  )
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
