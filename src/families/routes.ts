import { type Routes, routesOver } from '../http/routes.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import type { Family } from './family.ts'
import { families } from './index.ts'

/** A row of the routing table: an endpoint and the family that writes its errors. */
export interface FamilyRoute {
  endpoint: Endpoint
  family: Family
}

/** Kept because making the table takes 2 ms. The table depends on the code alone, so all emulators of a process share it. */
let routes: Routes<FamilyRoute> | undefined

/** The routing table over the endpoints of all families, made on first use. */
export function familyRoutes(): Routes<FamilyRoute> {
  routes ??= routesOver(families.flatMap(family => family.endpoints.map(endpoint => ({ endpoint, family }))))
  return routes
}
