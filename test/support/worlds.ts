import { test } from 'vitest'
import { type Gateway, openGateway } from './gateway.ts'

/** A gateway, clients of a family in new worlds of it, tests with such a `client`, and the addresses of sample files. */
export async function inWorldsOf<Client, More extends unknown[]>(
  clientIn: (gateway: Gateway, ...more: More) => Client,
) {
  const gateway = await openGateway()
  const world = (...more: More) => clientIn(gateway, ...more)
  const it = test.extend('client', () => (world as () => Client)())
  return { gateway, world, it, sample: (name: string) => `${gateway.url}/__emulator/samples/${name}` }
}
