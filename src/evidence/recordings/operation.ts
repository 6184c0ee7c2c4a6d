import { type Endpoint, families, familyRoutes, type Recorded } from '../../emulator/gateway.ts'
import { downloadOperation } from '../../emulator/words.ts'
import { linkPrefix } from '../../media/index.ts'

export interface Operation {
  operation: string
  family?: string
  params: Readonly<Record<string, string | undefined>>
}

/** The operation of a method and a path of the gateway, without query; `unknown` when the gateway has none. */
export function operationOf(method: string, path: string): Operation {
  const match = familyRoutes().find(method, path)
  if (match)
    return { operation: match.row.endpoint.operation, family: match.row.family.id, params: match.params }
  return { operation: path.startsWith(linkPrefix) ? downloadOperation : 'unknown', params: {} }
}

const familiesById = new Map(families.map(family => [family.id, family]))
const endpoints = new Map(
  families.flatMap(family => family.endpoints.map(endpoint => [endpoint.operation, endpoint])),
)

/** The endpoint of an operation; undefined for `unknown` and for downloads. */
export function endpointOf(operation: string): Endpoint | undefined {
  return endpoints.get(operation)
}

/** What a family says about its recorded requests; nothing for a request of no family. */
export function factsOf(family: string): Recorded {
  return familiesById.get(family)?.recorded ?? {}
}

/** Whether the tasks of a family are finished when they are made: no request asks for them. */
export function isSynchronous(family: string): boolean {
  return familiesById.get(family)?.endpoints.every(({ method }) => method !== 'GET') ?? false
}

/** The kind of the task that a request is about. `record` is its reply. */
export function kindOf(operation: string, family: string, record: unknown): string {
  const named = operation.slice(0, operation.lastIndexOf('.'))
  const isKind = (kind: string) => Object.hasOwn(familiesById.get(family)?.makers ?? {}, kind)
  if (isKind(operation)) return operation
  if (named !== family && isKind(named)) return named
  return factsOf(family).kindOf?.(record) ?? family
}
