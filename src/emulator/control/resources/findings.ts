import { endpoints, listed } from '../control-endpoint.ts'
import { findingsIn } from '../findings/findings.ts'
import { findingViews } from '../findings/found.ts'
import { droppedEntries } from '../journal/select-entries.ts'

/** Findings: what the clients of a world do that works here and will fail or cost money with the real service. */
export const findingEndpoints = endpoints({
  'GET /findings': {
    summary: 'What clients do that works here and will fail or cost money with the real service',
    handle: ({ world, services }) =>
      listed(findingViews(findingsIn(world, services)), {
        incomplete: droppedEntries(world),
      }),
  },
})
