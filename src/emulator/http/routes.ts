import createRouter, { type HTTPMethod } from 'find-my-way'

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

/** Routes over rows that each hold an endpoint. A trailing slash does not change the path. */
export function routesOver<Row extends { endpoint: { method: HTTPMethod; paths: readonly string[] } }>(
  rows: readonly Row[],
): Routes<Row> {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 8192, onBadUrl: () => undefined })
  for (const row of rows) {
    for (const path of row.endpoint.paths) router.on(row.endpoint.method, path, () => undefined, row)
  }
  const find = (method: (typeof methods)[number], path: string): RouteMatch<Row> | undefined => {
    const found = router.find(method, path)
    // An empty part names nothing: `/tasks//` is no path of a task.
    if (!found?.store || Object.values(found.params).includes('')) return undefined
    return { row: found.store, params: found.params }
  }
  return {
    find: (method, path) => {
      const known = methods.find(name => name === method)
      return known && find(known, path)
    },
    methods: path => methods.filter(method => find(method, path)),
  }
}
