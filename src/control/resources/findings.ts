import type { Services } from '../../pipeline/services.ts'
import type { World } from '../../worlds/world.ts'
import { endpoints, listed } from '../control-endpoint.ts'
import { lintClients } from '../findings/client-lint.ts'
import { type Found, findingView } from '../findings/found.ts'
import { moneyFindings } from '../findings/money-lint.ts'
import { droppedEntries } from '../journal/select-entries.ts'

/** Findings: what the clients of a world do that works here and will fail or cost money with the real service. */
export const findingEndpoints = endpoints({
  'GET /findings': {
    summary: 'What clients do that works here and will fail or cost money with the real service',
    handle: ({ world, services }) =>
      listed(findingsIn(world, services).map(findingView), {
        incomplete: droppedEntries(world),
      }),
  },
})

/** Everything that is found about the clients of a world. */
export function findingsIn(world: World, services: Pick<Services, 'options'>): Found[] {
  return [...lintClients(world), ...moneyFindings(world, services)]
}
