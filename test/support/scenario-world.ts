import { checkScenario } from '../../src/emulator/scenarios/load.ts'
import type { RequestFacts } from '../../src/emulator/scenarios/matchers.ts'
import { openMemory } from '../../src/emulator/worlds/database.ts'
import { type World, worldOf } from '../../src/emulator/worlds/world.ts'

/** The moment at which scenarios of the worlds below become active, epoch ms. */
export const activeAt = 1_750_000_000_000

/** A world in memory with these active scenarios: shipped ones by name, others as documents. */
export function worldWith(...scenarios: (string | { name: string; rules: unknown[] })[]): World {
  return seededWorldWith(1, ...scenarios)
}

/** The same with a seed. */
export function seededWorldWith(
  seed: number,
  ...scenarios: (string | { name: string; rules: unknown[] })[]
): World {
  const clock = { mode: 'manual' as const, rate: 1, virtualMs: activeAt, wallMs: activeAt }
  const names = scenarios.map(scenario => (typeof scenario === 'string' ? scenario : scenario.name))
  const documents = scenarios.filter(scenario => typeof scenario !== 'string').map(checkScenario)
  return worldOf(
    'test',
    {
      head: {
        opening: { seed, clock, scenarios: names, byKey: false },
        openedAt: activeAt,
        clock,
        draws: {},
        active: names.map(name => ({ name, since: activeAt })),
        counters: {},
        boots: 0,
      },
      accounts: new Map(),
      tasks: new Map(),
      assets: new Map(),
      downloads: new Map(),
      scenarios: new Map(documents.map(document => [document.name, document])),
      snapshots: new Map(),
    },
    openMemory(),
  )
}

/** A create in family A, unless the test says otherwise. */
export function request(facts: Partial<RequestFacts> = {}): RequestFacts {
  return {
    operation: 'a.create',
    family: 'a',
    model: 'model_a_25',
    account: 'default',
    key: 'sk-emulator',
    mode: 'text',
    prompt: 'a cat on a roof',
    headers: {},
    body: { model: 'model_a_25', content: [{ type: 'text', text: 'a cat on a roof' }] },
    now: activeAt,
    ...facts,
  }
}
