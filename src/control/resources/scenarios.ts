import {
  documentNamed,
  listScenarios,
  nearestScenario,
  offeredDocument,
  type ScenarioListing,
} from '../../scenarios/catalog.ts'
import { checkScenario } from '../../scenarios/load.ts'
import { scenarioSchema } from '../../scenarios/schema.ts'
import type { Services } from '../../server/services.ts'
import { headChanged, nowIn, put, remove, type World } from '../../worlds/world.ts'
import { type ControlEndpoint, done } from '../control-endpoint.ts'
import { badRequest, conflict, notFound } from '../control-error.ts'

/** The scenarios that a world knows, and the active ones. */
export const scenarioEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/scenarios'],
    summary: 'Known scenarios, and the names of the active ones',
    handle: ({ world }) => done({ available: listScenarios(world), active: activeNames(world) }),
  },
  {
    method: 'PUT',
    paths: ['/scenarios/active'],
    summary: 'Activate exactly these scenarios from now on; counters restart',
    body: {
      type: 'object',
      required: ['names'],
      additionalProperties: false,
      properties: { names: { type: 'array', maxItems: 100, items: { type: 'string' } } },
    },
    handle({ world, body }) {
      const { names } = body as { names: string[] }
      checkNames('names', names, {
        isKnown: name => documentNamed(world, name) !== undefined,
        hintFor: name => nearestScenario(world.database, name, world.state.scenarios),
      })
      activate(world, [...new Set(names)])
      return done({ active: activeNames(world) })
    },
  },
  {
    method: 'POST',
    paths: ['/scenarios'],
    summary: 'Check a scenario document, store it in this world and activate it',
    body: { type: 'object' },
    handle({ world, body }) {
      const document = checkScenario(body)
      put(world, 'scenarios', document.name, document)
      addActive(world, document.name)
      return done({ ...listing(world, document.name), active: activeNames(world) }, 201)
    },
  },
  {
    method: 'POST',
    paths: ['/scenarios/check'],
    summary: 'Check a scenario document and change nothing',
    body: { type: 'object' },
    handle({ body }) {
      const { name, rules } = checkScenario(body)
      return done({ ok: true, name, rules: rules.length })
    },
  },
  {
    method: 'GET',
    paths: ['/scenarios/:name'],
    summary: 'One scenario with its document',
    handle({ world, params: { name = '' } }) {
      const document = documentNamed(world, name)
      if (!document) throw notFound(`The scenario ${name}`)
      return done({ ...listing(world, name), document })
    },
  },
  {
    method: 'DELETE',
    paths: ['/scenarios/:name'],
    summary: 'Deactivate a scenario; one that was posted to this world is also removed',
    handle({ world, params: { name = '' } }) {
      if (!documentNamed(world, name) && !activeNames(world).includes(name))
        throw notFound(`The scenario ${name}`)
      const wasPosted = remove(world, 'scenarios', name)
      if (!wasPosted && !activeNames(world).includes(name))
        throw conflict(
          `The scenario ${name} is not active, and only scenarios posted to a world can be removed`,
        )
      stop(world, name)
      return done({ active: activeNames(world) })
    },
  },
  {
    method: 'GET',
    paths: ['/scenario.schema.json'],
    summary: 'The JSON Schema of a scenario document, for editors',
    handle: () => done(scenarioSchema),
  },
]

/** Checks that a new world would know these names; undefined means no names. Throws 400 with the nearest known name as hint. */
export function checkOffered(
  services: Pick<Services, 'database'>,
  names: readonly (string | undefined)[],
): void {
  checkNames('scenarios', names, {
    isKnown: name => offeredDocument(services.database, name) !== undefined,
    hintFor: name => nearestScenario(services.database, name),
  })
}

function checkNames(
  path: string,
  names: readonly (string | undefined)[],
  { isKnown, hintFor }: { isKnown(name: string): boolean; hintFor(name: string): string },
): void {
  names.forEach((name, index) => {
    if (name !== undefined && !isKnown(name))
      throw badRequest(`No scenario is named ${JSON.stringify(name)}`, {
        path: `${path}[${index}]`,
        hint: hintFor(name),
      })
  })
}

function activeNames(world: World): string[] {
  return world.state.head.active.map(({ name }) => name)
}

function listing(world: World, name: string): ScenarioListing | undefined {
  return listScenarios(world).find(scenario => scenario.name === name)
}

/** Counters restart with every activation: "call: 1" is the first call after it. */
function activate(world: World, names: readonly string[]): void {
  const { head } = world.state
  head.active = names.map(name => ({ name, since: nowIn(world) }))
  head.counters = {}
  headChanged(world)
}

/** A scenario that is already active restarts and keeps its place. */
function addActive(world: World, name: string): void {
  const { head } = world.state
  const entry = { name, since: nowIn(world) }
  const isActive = activeNames(world).includes(name)
  head.active = isActive
    ? head.active.map(active => (active.name === name ? entry : active))
    : [...head.active, entry]
  head.counters = withoutCounters(head.counters, name)
  headChanged(world)
}

function stop(world: World, name: string): void {
  const { head } = world.state
  head.active = head.active.filter(active => active.name !== name)
  head.counters = withoutCounters(head.counters, name)
  headChanged(world)
}

function withoutCounters(counters: Record<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).filter(([rule]) => !rule.startsWith(`${name}/`)))
}
