import { familyRoutes } from '../families/routes.ts'
import { linkPrefix } from '../media/links.ts'
import { downloadOperation } from '../scenarios/operations.ts'

/** Which operation a request asks for, and of which family. */
export interface Operation {
  operation: string
  family?: string
  params: Readonly<Record<string, string | undefined>>
}

/** The operation of a method and a path of the gateway, without query; `unknown` where there is none. */
export function operationOf(method: string, path: string): Operation {
  const match = familyRoutes().find(method, path)
  if (match)
    return { operation: match.row.endpoint.operation, family: match.row.family.id, params: match.params }
  return { operation: path.startsWith(linkPrefix) ? downloadOperation : 'unknown', params: {} }
}
