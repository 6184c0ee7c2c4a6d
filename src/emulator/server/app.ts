import type { IncomingMessage, ServerResponse } from 'node:http'
import { isGenuine, linkPrefix, once, parseLink } from '../../media/index.ts'
import { resultLinks } from '../downloads/result-links.ts'
import { type Called, emulated, wrongMethod } from '../families/emulated.ts'
import { familyRoutes } from '../families/index.ts'
import { unknownPath } from '../families/unknown-path.ts'
import { allowedOrigin, httpDate } from '../http/headers.ts'
import { baseUrlOf, foreignPage, isCrossSite } from '../http/origin.ts'
import { packageVersion } from '../package/files.ts'
import type { Services } from '../pipeline/endpoint.ts'
import { type Arrival, type Exchange, exchangeOf, plainSteps, type Surface } from '../pipeline/exchange.ts'
import { run } from '../pipeline/pipeline.ts'
import { downloadOperation } from '../scenarios/operations.ts'

/** The pages and documents of the emulator. */
const places = {
  console: { path: '/__emulator/', what: 'the web console' },
  guide: { path: '/__emulator/guide', what: 'the guide' },
  demo: { path: '/__emulator/demo', what: 'a front end that makes a video: the example of the guide' },
  llms: { path: '/__emulator/llms.txt', what: 'the pages of the guide, for agents' },
  docs: { path: '/__emulator/docs', what: 'the guide, from the address of the former API reference' },
  openapi: { path: '/__emulator/openapi.json', what: 'the emulated API as OpenAPI' },
  control_openapi: { path: '/__emulator/openapi.control.json', what: 'the control API as OpenAPI' },
  health: { path: '/__emulator/health', what: 'whether the emulator is running' },
} as const

/** `/` is not a path of the emulated API: it lists the emulator's pages, as HTML for browsers and as JSON for other clients. */
const welcome: Surface<undefined> = {
  ...plainSteps,
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
    '<p>The emulated API is served at this address. Its paths are in the guide and in openapi.json.</p>',
    `<ul>${items.join('')}</ul>`,
    '</html>\n',
  ].join('\n')
}

/** The allowed headers in the reply to a preflight that does not ask for headers. */
interface Allowed {
  methods: string
  headers: string
}

const ofCalls: Allowed = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  headers: 'Authorization, Content-Type',
}

const ofLinks: Allowed = {
  methods: 'GET, HEAD, OPTIONS',
  headers:
    'Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, X-Emulator-Scenario',
}

/**
 * Answers the request that a browser sends before a cross-origin request. It has no key, draws
 * nothing and is not in the journal.
 */
const preflight: Surface<undefined> = {
  ...plainSteps,
  identify(exchange) {
    const [, prefix, name = ''] = exchange.path.split('/')
    const world = `/${prefix}/` === linkPrefix ? exchange.services.worlds.find(name) : undefined
    if (world) exchange.world = world
  },
  handle: ({ path, request }) => {
    const { methods, headers } = path.startsWith(linkPrefix) ? ofLinks : ofCalls
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? headers,
        'Access-Control-Max-Age': '86400',
        Vary: 'Origin, Access-Control-Request-Headers',
      },
    }
  },
  headers: ({ request, services }, now) => ({
    Date: httpDate(now),
    ...allowedOrigin(request.headers.origin, services.options),
  }),
}

/**
 * A request of the emulated API by a web page of a public origin. The keys are known, so such a page must not act: it is refused
 * before anything is drawn or journaled, with a line in the log.
 */
const refusedPage: Surface<{ page: string }> = {
  ...plainSteps,
  handle({ target, services, request, path }) {
    const what = `${request.method} ${path.slice(0, 100)}`.replace(/[^\x20-\x7e]/g, '?')
    const message = `Web pages ${target.page.slice(0, 200)} may not use the emulated API; start it with --cors any to allow pages of every origin`
    services.log.info({ request: what }, `${what} was refused: ${message.replace(/[^\x20-\x7e]/g, '?')}`)
    return { status: 403, body: { error: { code: 'forbidden_origin', message } } }
  },
}

interface Linked {
  request: IncomingMessage
  services: Services
  path: string
  link: ReturnType<typeof parseLink>
}

/** The page that a call of a result link is refused for, in words; undefined when it is allowed. Any page may show a file by its signed link, as it may upstream; only its Origin matters. */
function pageBehindLink({ request, services, path, link }: Linked): string | undefined {
  const { headers } = request
  if (headers.origin !== undefined) return foreignPage(headers, services.options)
  const world = link && services.worlds.find(link.world)
  const isSigned = link && world && isGenuine(world, path, link.expires, link.signature)
  return !isSigned && isCrossSite(headers) ? foreignPage(headers, services.options) : undefined
}

/** Answers one request. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => void

const controlPath = '/__emulator'

/** Finds the surface for each request and sends it through the pipeline. A server, or an Express app, calls it with every request. */
export function createApp(services: Services): Dispatch {
  const control = controlOnDemand()

  return (request, response) => {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? '' : url.slice(mark + 1)
    const arrival: Arrival = { request, response, services, path, query }
    if (path === controlPath || path.startsWith(`${controlPath}/`)) control(arrival)
    else run(publicExchange(arrival))
  }
}

function publicExchange(arrival: Arrival): Exchange {
  const { request, path, query } = arrival
  const method = request.method ?? 'GET'
  if (path.startsWith(linkPrefix) && method !== 'OPTIONS') {
    const link = parseLink(path, new URLSearchParams(query))
    const page = pageBehindLink({ ...arrival, link })
    if (page) return refused(arrival, page)
    const target = { link, file: undefined, media: undefined }
    return exchangeOf(arrival, { surface: resultLinks, target, operation: downloadOperation })
  }
  if (path === '/' && (method === 'GET' || method === 'HEAD'))
    return exchangeOf(arrival, { surface: welcome, target: undefined, operation: 'welcome' })
  const page = foreignPage(request.headers, arrival.services.options)
  if (page) return refused(arrival, page)
  if (method === 'OPTIONS')
    return exchangeOf(arrival, { surface: preflight, target: undefined, operation: '' })
  const target = familyRoutes().find(method, path) as Called | undefined
  if (!target) return unmatched(arrival)
  return exchangeOf(arrival, { surface: emulated, target, operation: target.row.endpoint.operation })
}

function refused(arrival: Arrival, page: string): Exchange {
  return exchangeOf(arrival, { surface: refusedPage, target: { page }, operation: 'refused' })
}

/** The surface for a path that exists with other methods only, or does not exist. */
function unmatched(arrival: Arrival): Exchange {
  const routes = familyRoutes()
  const allow = routes.methods(arrival.path)
  const known = allow[0] && (routes.find(allow[0], arrival.path) as Called | undefined)
  if (!known) return exchangeOf(arrival, { surface: unknownPath, target: undefined, operation: 'unknown' })
  const operation = `${known.row.family.id}.unknown`
  return exchangeOf(arrival, { surface: wrongMethod, target: { ...known, allow }, operation })
}

/** The pages; with them, Express is loaded at their first request. Saves about 80 ms at the start of an emulator. */
const loadPages = once(() => import('./pages.ts').then(({ createPages }) => createPages()))

/** The control API, loaded with its first request, since an emulator without such a request does not need it. */
function controlOnDemand(): (arrival: Arrival) => void {
  let loading: Promise<(arrival: Arrival) => Exchange> | undefined
  return arrival => {
    loading ??= import('../control/surface.ts').then(({ createControl }) => createControl(loadPages))
    loading
      .then(exchangeFor => run(exchangeFor(arrival)))
      .catch(error => {
        arrival.services.log.error({ err: error }, 'the control API could not be loaded')
        arrival.response.destroy()
      })
  }
}
