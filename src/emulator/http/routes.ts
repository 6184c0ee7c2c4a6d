import { Memoirist } from 'memoirist'

/** An endpoint found for a path, with the path's parameters. */
export interface RouteMatch<Row> {
  row: Row
  params: Record<string, string | undefined>
}

/** Finds the row of a table that matches a request. */
export interface Routes<Row> {
  find(method: string, path: string): RouteMatch<Row> | undefined
  /** The methods that a path allows, in any order; empty for an unknown path. */
  methods(path: string): string[]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

/** Routes over rows that each hold an endpoint. A trailing slash does not change the path. */
export function routesOver<Row extends { endpoint: { method: Method; paths: readonly string[] } }>(
  rows: readonly Row[],
): Routes<Row> {
  const router = new Memoirist<Row>()
  for (const row of rows) {
    for (const path of row.endpoint.paths) router.add(row.endpoint.method, path, row)
  }
  const find = (method: string, path: string): RouteMatch<Row> | undefined => {
    const plain = withoutNeedlessEscapes(path)
    const found = plain === undefined ? null : router.find(method, withoutLastSlash(plain))
    if (!found) return undefined
    const params: Record<string, string> = {}
    for (const name in found.params) params[name] = decodeURIComponent(found.params[name] ?? '')
    return { row: found.store, params }
  }
  return { find, methods: path => methods.filter(method => find(method, path)) }
}

function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** `/%74asks/a%2Fb` is `/tasks/a%2Fb`. Undefined when an escape is broken. */
function withoutNeedlessEscapes(path: string): string | undefined {
  if (!path.includes('%')) return path
  try {
    const parts = path.split('/')
    return parts.map(part => encodeURIComponent(decodeURIComponent(part))).join('/')
  } catch {
    return undefined
  }
}
