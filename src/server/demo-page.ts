import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { textOf } from '../guide/contents.ts'
import { pageHeaders } from './page-headers.ts'

const firstScript = '<script type="module">'

/** The front end of the guide's examples, running: `fixtures/guide/demo.js` gives it this address and lets it wait in its world's time. */
export const showDemo: RequestHandler = (_request, response) => {
  const example = textOf('docs/examples/front-end.html')
  const own = example.slice(example.indexOf(firstScript) + firstScript.length, example.indexOf('</script>'))
  const digest = createHash('sha256').update(own).digest('base64')
  response
    .set(pageHeaders)
    .set(
      'Content-Security-Policy',
      `${pageHeaders['Content-Security-Policy']}; script-src 'self' 'sha256-${digest}'`,
    )
    .type('html')
    .send(example.replace(firstScript, `<script src="guide/look/demo.js"></script>\n${firstScript}`))
}
