import type { IncomingMessage, ServerResponse } from 'node:http'
import { linkPrefix, once, parseLink } from '../../media/index.ts'
import { resultLinks } from '../downloads/result-links.ts'
import { type Called, emulated, wrongMethod } from '../families/emulated.ts'
import { familyRoutes } from '../families/index.ts'
import { unknownPath } from '../families/unknown-path.ts'
import { type Arrival, type Exchange, exchangeOf } from '../pipeline/exchange.ts'
import { run } from '../pipeline/pipeline.ts'
import type { Services } from '../pipeline/services.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import { pageBehindCall, pageBehindLink, refusedPage } from './foreign-page.ts'
import { preflight } from './preflight.ts'
import { welcome } from './welcome.ts'

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
  const page = pageBehindCall(request, arrival.services)
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
