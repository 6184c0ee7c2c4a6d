import { familyRoutes } from '../families/index.ts'
import { linkPrefix } from '../media/links.ts'
import { downloadOperation } from '../scenarios/operations.ts'

/** The operation of a request, and its family. */
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
