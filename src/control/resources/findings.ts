import { type ControlEndpoint, listed } from '../control-endpoint.ts'
import { lintClients } from '../findings/client-lint.ts'
import { moneyFindings } from '../findings/money-lint.ts'
import { droppedEntries } from '../journal/dropped-entries.ts'

/** Findings: what the clients of a world do that works here and will fail or cost money with the real service. */
export const findingEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/findings'],
    summary: 'What clients do that works here and will fail or cost money with the real service',
    handle: ({ world, services }) =>
      listed([...lintClients(world), ...moneyFindings(world, services)], {
        incomplete: droppedEntries(world),
      }),
  },
]
