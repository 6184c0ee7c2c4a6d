import { createHash } from 'node:crypto'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { contentsPath, type GuidePage, guidePages, textOf } from '../guide/contents.ts'
import { guideHtml } from '../guide/html.ts'
import { linkedFiles, withGuideLinks } from '../guide/links.ts'
import { withOtherName } from '../http/base-url.ts'
import { fixturePath, packagePath } from '../package/files.ts'
import { pageHeaders } from './page-headers.ts'

/** The guide: its pages as HTML, or as Markdown for an address that ends in `.md` or an `Accept` that asks for it. */
export function guidePagesRouter(): Router {
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
  const markdown = textOf(from)
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
  const example = textOf('docs/examples/front-end.html')
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
