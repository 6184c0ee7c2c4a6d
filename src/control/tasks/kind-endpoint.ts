import type { Family } from '../../families/family.ts'
import { familyOf } from '../../families/index.ts'
import type { Endpoint } from '../../pipeline/endpoint.ts'

/** The endpoint that makes tasks of a kind; undefined when only the control API can make them. A kind is an operation id without `.create`. */
export function endpointOfKind(family: Family, kind: string): Endpoint | undefined {
  const operations = [`${kind}.create`, kind, `${kind}.generate`]
  return family.endpoints.find(({ operation, method }) => method === 'POST' && operations.includes(operation))
}

/** The operation that makes tasks of a kind, as the console log names it. */
export function operationOfKind(family: string, kind: string): string {
  return endpointOfKind(familyOf(family), kind)?.operation ?? `${kind}.create`
}
