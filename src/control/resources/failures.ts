import { failuresOf } from '../../explore/catalogue.ts'
import { familyIds, operations } from '../../scenarios/operations.ts'
import { type ControlEndpoint, listed } from '../control-endpoint.ts'
import { checkKnown } from '../known-word.ts'

/** The catalogue of failures: what can go wrong with each operation, as scenario rules. */
export const failureEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/failures'],
    summary: 'What can go wrong with each operation, as rules of a scenario',
    query: {
      type: 'object',
      properties: {
        operation: { type: 'string', description: 'An operation id such as a.create.' },
        family: { type: 'string', description: 'A family id such as a.' },
      },
    },
    handle({ query }) {
      const { operation, family } = query as { operation?: string; family?: string }
      if (operation !== undefined) checkKnown(operation, operations, { path: 'operation' })
      if (family !== undefined) checkKnown(family, familyIds, { path: 'family' })
      return listed(
        failuresOf({
          ...(operation !== undefined && { operation }),
          ...(family !== undefined && { family }),
        }),
      )
    },
  },
]
