import type { Endpoint } from '../http/endpoint.ts'
import { type Routes, routesOver } from '../http/routes.ts'
import type { Family } from './family.ts'
import { families } from './index.ts'

/** A row of the routing table: an endpoint and the family whose dialect it speaks. */
export interface Row {
  endpoint: Endpoint
  family: Family
}

/** Making the table takes 2 ms. It follows from the code alone, so one serves all emulators. */
let routes: Routes<Row> | undefined

/** The one routing table over the endpoints of all families, made when it is first asked for. */
export function familyRoutes(): Routes<Row> {
  routes ??= routesOver(families.flatMap(family => family.endpoints.map(endpoint => ({ endpoint, family }))))
  return routes
}
