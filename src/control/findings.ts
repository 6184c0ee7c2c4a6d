import { lintClients } from './client-lint.ts'
import { type ControlEndpoint, listed } from './control-endpoint.ts'
import { incompleteness } from './incomplete.ts'
import { moneyFindings } from './money-lint.ts'

/** What the clients of a world do that works here and will hurt them elsewhere. */
export const findingEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/findings'],
    summary: 'What clients do that works here and will hurt elsewhere',
    handle: ({ world, services }) =>
      listed([...lintClients(world), ...moneyFindings(world, services)], {
        incomplete: incompleteness(world),
      }),
  },
]
