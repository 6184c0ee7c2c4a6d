import { keyOf } from '../http/account.ts'
import { checkScenario } from '../scenarios/load.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import { ScenarioError } from '../scenarios/scenario-error.ts'
import { tellNow } from '../tasks/advance.ts'
import { latestMs, parseMoment, parseRate } from '../worlds/clock.ts'
import { nowIn, type World } from '../worlds/world.ts'
import type { WorldRequest } from '../worlds/worlds.ts'
import { clockView } from './clock-view.ts'
import { type ControlCall, type ControlEndpoint, done, listed } from './control-endpoint.ts'
import { badRequest, conflict, notFound } from './control-error.ts'
import { checkOffered } from './scenarios.ts'

const worldBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    seed: { type: 'integer', minimum: 0 },
    clock: {
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: { enum: ['realtime', 'manual', 'auto'] },
        rate: { type: ['number', 'string'] },
        now: { type: ['string', 'number'] },
      },
    },
    scenarios: {
      type: 'array',
      maxItems: 100,
      items: { type: ['string', 'object'] },
      description: 'Names, or documents that only this world gets; reset goes back to them.',
    },
  },
} as const

interface WorldBody {
  id?: string
  seed?: number
  clock?: { mode?: 'realtime' | 'manual' | 'auto'; rate?: number | string; now?: string | number }
  scenarios?: (string | object)[]
}

/** Opening, listing and dropping worlds. */
export const worldEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/worlds'],
    summary: 'Every open world',
    handle: call => listed(call.services.worlds.list().map(world => worldView(call, world))),
  },
  {
    method: 'POST',
    paths: ['/worlds'],
    summary: 'Open a world',
    body: worldBody,
    bodyOptional: true,
    handle(call) {
      const body = call.body as WorldBody
      const { worlds } = call.services
      const id = body.id ?? freeName(call)
      if (worlds.find(id)) throw conflict(`The world ${id} exists already`)
      return done(worldView(call, worlds.open(id, requestOf(call, body))), 201)
    },
  },
  {
    method: 'GET',
    paths: ['/worlds/:id'],
    summary: 'One world',
    handle: call => done(worldView(call, named(call))),
  },
  {
    method: 'DELETE',
    paths: ['/worlds/:id'],
    summary: 'Drop a world and all it holds',
    handle(call) {
      const world = named(call)
      tellNow(world)
      call.services.worlds.drop(world.id)
      return done()
    },
  },
  {
    method: 'POST',
    paths: ['/reset'],
    summary: 'The world back to its start',
    body: { type: 'object' },
    bodyOptional: true,
    handle(call) {
      tellNow(call.world)
      call.services.worlds.reset(call.world)
      return done(worldView(call, call.world))
    },
  },
]

function named({ services, params }: ControlCall): World {
  const world = services.worlds.find(params.id ?? '')
  if (!world) throw notFound(`The world ${params.id}`)
  return world
}

function freeName({ services }: ControlCall): string {
  let number = services.worlds.list().length
  while (services.worlds.find(`world-${number}`)) number++
  return `world-${number}`
}

function requestOf({ services }: ControlCall, { seed, clock, scenarios }: WorldBody): WorldRequest {
  const rate = clock?.rate === undefined ? undefined : parseRate(clock.rate)
  const now = clock?.now === undefined ? undefined : parseMoment(clock.now)
  if (clock?.rate !== undefined && rate === undefined)
    throw badRequest(`${JSON.stringify(clock.rate)} is not a rate such as 60 or "60x"`, {
      path: 'clock.rate',
    })
  if (clock?.now !== undefined && now === undefined)
    throw badRequest(`${JSON.stringify(clock.now)} is not a moment such as 2026-01-01T00:00:00Z`, {
      path: 'clock.now',
    })
  if (now !== undefined && now > latestMs)
    throw badRequest('now lies beyond the year 9999', { path: 'clock.now' })
  return {
    ...(seed !== undefined && { seed }),
    ...(scenarios && scenariosOf(services, scenarios)),
    clock: {
      ...(clock?.mode && { mode: clock.mode }),
      ...(rate !== undefined && { rate }),
      ...(now !== undefined && { now }),
    },
  }
}

/** What acts from the opening on. Throws 400 for a name that no new world knows, and ScenarioError for a wrong document. */
function scenariosOf(
  services: ControlCall['services'],
  given: readonly (string | object)[],
): Required<Pick<WorldRequest, 'scenarios' | 'documents'>> {
  const documents = given.flatMap((one, index) => (typeof one === 'string' ? [] : [readDocument(one, index)]))
  const own = new Set(documents.map(({ name }) => name))
  checkOffered(
    services,
    given.map(one => (typeof one === 'string' && !own.has(one) ? one : undefined)),
  )
  const names = given.map(one => (typeof one === 'string' ? one : (one as ScenarioDocument).name))
  return { scenarios: [...new Set(names)], documents }
}

function readDocument(document: object, index: number): ScenarioDocument {
  try {
    return checkScenario(document)
  } catch (error) {
    throw error instanceof ScenarioError ? error.below(['scenarios', index]) : error
  }
}

function worldView({ baseUrl }: ControlCall, world: World) {
  const { head, tasks } = world.state
  return {
    id: world.id,
    api_key: keyOf(world.id),
    base_url: baseUrl,
    seed: head.opening.seed,
    clock: clockView(world),
    opened_at: new Date(head.openedAt).toISOString(),
    now: new Date(nowIn(world)).toISOString(),
    scenarios: head.active.map(({ name }) => name),
    tasks: tasks.size,
  }
}
