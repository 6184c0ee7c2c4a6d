import type { Services } from '../../pipeline/endpoint.ts'
import type { World } from '../../worlds/world.ts'
import { lintClients } from './client-lint.ts'
import type { Found } from './found.ts'
import { moneyFindings } from './money-lint.ts'

/** Everything that is found about the clients of a world. */
export function findingsIn(world: World, services: Pick<Services, 'options'>): Found[] {
  return [...lintClients(world), ...moneyFindings(world, services)]
}
