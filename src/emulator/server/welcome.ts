import { baseUrlOf } from '../http/base-url.ts'
import { packageVersion } from '../package/files.ts'
import { plainSteps, type Surface } from '../pipeline/exchange.ts'

/** The pages and documents of the emulator. */
const places = {
  console: { path: '/__emulator/', what: 'the web console' },
  guide: { path: '/__emulator/guide', what: 'the guide' },
  demo: { path: '/__emulator/demo', what: 'a front end that makes a video: the example of the guide' },
  llms: { path: '/__emulator/llms.txt', what: 'the pages of the guide, for agents' },
  docs: { path: '/__emulator/docs', what: 'the API reference' },
  openapi: { path: '/__emulator/openapi.json', what: 'the emulated API as OpenAPI' },
  control_openapi: { path: '/__emulator/openapi.control.json', what: 'the control API as OpenAPI' },
  health: { path: '/__emulator/health', what: 'whether the emulator is running' },
} as const

/** `/` is not a path of the emulated API: it lists the emulator's pages, as HTML for browsers and as JSON for other clients. */
export const welcome: Surface<undefined> = {
  ...plainSteps,
  identify() {},
  handle({ request, services }) {
    const base = baseUrlOf(request, services.options)
    if (request.headers.accept?.includes('text/html'))
      return { status: 200, body: page(base), headers: { 'Content-Type': 'text/html; charset=utf-8' } }
    const links = Object.entries(places).map(([name, { path }]) => [name, base + path])
    return {
      status: 200,
      body: { name: 'Generation Gateway emulator', version: packageVersion(), ...Object.fromEntries(links) },
    }
  },
  headers: () => ({ Vary: 'Accept' }),
  isJournaled: () => false,
  refuse: () => undefined,
}

/** The base needs no HTML escaping: it is a checked host or the public URL. */
function page(base: string): string {
  const items = Object.values(places).map(
    ({ path, what }) => `<li><a href="${encodeURI(base + path)}">${path}</a>: ${what}</li>`,
  )
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<title>Generation Gateway emulator</title>',
    `<h1>Generation Gateway emulator ${packageVersion()}</h1>`,
    '<p>The emulated API is served at this address. Its paths are in the API reference.</p>',
    `<ul>${items.join('')}</ul>`,
    '</html>\n',
  ].join('\n')
}
