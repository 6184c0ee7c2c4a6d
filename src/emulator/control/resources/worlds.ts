import type { ClockChange, WorldView } from '../../../kits/views.ts'
import { readGiven } from '../../scenarios/load.ts'
import { formOf, type ScenarioDocument } from '../../scenarios/scenario.ts'
import { ScenarioError } from '../../scenarios/scenario-error.ts'
import { announceNow } from '../../tasks/advance.ts'
import { nearSuggestion } from '../../wording/shown.ts'
import { clockModes, iso, parseRate } from '../../worlds/clock.ts'
import { keyOf, namePattern } from '../../worlds/record-values.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import type { WorldRequest } from '../../worlds/worlds.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { badRequest, conflict, momentIn, noSuchWorld } from '../control-error.ts'
import { clockProperties, clockView } from './clock.ts'
import { checkOffered } from './scenarios.ts'
import { offerUndo, undoDrop, undoQuery, undoTo } from './undo.ts'

const worldBody = closed({
  id: { type: 'string', pattern: namePattern },
  seed: { type: 'integer', minimum: 0 },
  clock: {
    type: ['object', 'string', 'number'],
    description: 'A mode, a rate such as 60x, or an object with mode, rate and now.',
    additionalProperties: false,
    properties: clockProperties,
  },
  now: { type: ['string', 'number'], description: 'The same as clock.now.' },
  scenarios: {
    type: 'array',
    maxItems: 100,
    items: { type: ['string', 'object'] },
    description:
      'Names, or documents or their YAML texts that only this world gets; a reset activates them again.',
  },
  services: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    items: { type: 'string', pattern: namePattern },
    description:
      'The services that call this world: each request has the one that sent it, by the label of its key, else by its process (Linux).',
  },
})

interface WorldBody {
  id?: string
  seed?: number
  clock?: ClockChange | string | number
  now?: string | number
  scenarios?: (string | object)[]
  services?: string[]
}

/** Opening, listing and dropping worlds. */
export const worldEndpoints = endpoints({
  'GET /worlds': {
    summary: 'Every open world',
    handle: call => listed(call.services.worlds.list().map(world => worldView(call, world))),
  },
  'POST /worlds': {
    example: { body: { seed: 7, clock: 'manual', scenarios: ['happy-path'] } },
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
  'GET /worlds/:id': {
    example: { params: { id: 'default' } },
    summary: 'One world',
    handle: call => done(worldView(call, named(call))),
  },
  'DELETE /worlds/:id': {
    summary: 'Drop a world and all its records',
    query: undoQuery,
    handle(call) {
      const world = named(call)
      announceNow(world)
      const undo = offerUndo(call, () => undoDrop(call.services, world))
      call.services.worlds.drop(world.id)
      return done(undo)
    },
  },
  'POST /reset': {
    opens: true,
    summary: 'Reset the world to its opening state',
    query: undoQuery,
    body: { type: 'object' },
    bodyOptional: true,
    handle(call) {
      announceNow(call.world)
      const undo = offerUndo(call, () => undoTo(call))
      call.services.worlds.reset(call.world)
      return done({ ...worldView(call, call.world), ...undo })
    },
  },
})

function named({ services, params }: ControlCall): World {
  const { id = '' } = params
  const world = services.worlds.find(id)
  if (!world) throw noSuchWorld(id, services)
  return world
}

function freeName({ services }: ControlCall): string {
  let number = services.worlds.list().length
  while (services.worlds.find(`world-${number}`)) number++
  return `world-${number}`
}

function requestOf({ services }: ControlCall, body: WorldBody): WorldRequest {
  const { seed, scenarios, now, services: calling } = body
  const clock = clockIn(body.clock)
  if (now !== undefined && clock.now !== undefined)
    throw badRequest('now and clock.now say the same; give only one of them', { path: 'now' })
  return {
    ...(seed !== undefined && { seed }),
    ...(scenarios && scenariosOf(services, scenarios)),
    ...(calling && { services: calling }),
    clock: { ...clock, ...(now !== undefined && { now: momentIn(now, 'now') }) },
  }
}

/** The clock of a body: `"manual"`, `"60x"`, `60`, or an object of mode, rate and now. Throws 400. */
function clockIn(given: WorldBody['clock'] = {}): NonNullable<WorldRequest['clock']> {
  if (typeof given !== 'object') {
    const mode = clockModes.find(known => known === given)
    return mode ? { mode } : { mode: 'realtime', rate: rateIn(given, 'clock') }
  }
  const { mode, rate, now } = given
  return {
    ...(mode && { mode }),
    ...(rate !== undefined && { rate: rateIn(rate, 'clock.rate') }),
    ...(now !== undefined && { now: momentIn(now, 'clock.now') }),
  }
}

function rateIn(given: string | number, path: string): number {
  const rate = parseRate(given)
  if (rate !== undefined) return rate
  const hint = typeof given === 'string' && path === 'clock' ? nearSuggestion(given, clockModes) : undefined
  const modes = path === 'clock' ? `${clockModes.join(', ')}, or ` : ''
  throw badRequest(
    `${JSON.stringify(given)} is not ${modes}a rate such as 60 or "60x", above 0 and at most 1000000`,
    {
      path,
      ...(hint && { hint }),
    },
  )
}

/** The scenarios that are active from the start. Throws 400 for a name that a new world does not know, and ScenarioError for a wrong document. */
function scenariosOf(
  services: ControlCall['services'],
  given: readonly (string | object)[],
): Required<Pick<WorldRequest, 'scenarios' | 'documents'>> {
  const read = given.map((one, index) =>
    typeof one === 'string' && formOf(one) !== 'text' ? one : readDocument(one, index),
  )
  const documents = read.filter(one => typeof one !== 'string')
  const own = new Set(documents.map(({ name }) => name))
  checkOffered(
    services,
    read.map(one => (typeof one === 'string' && !own.has(one) ? one : undefined)),
  )
  const names = read.map(one => (typeof one === 'string' ? one : one.name))
  return { scenarios: [...new Set(names)], documents }
}

function readDocument(given: unknown, index: number): ScenarioDocument {
  try {
    return readGiven(given)
  } catch (error) {
    throw error instanceof ScenarioError ? error.below(['scenarios', index]) : error
  }
}

function worldView({ baseUrl }: ControlCall, world: World): WorldView {
  const { head, tasks } = world.state
  return {
    id: world.id,
    api_key: keyOf(world.id),
    base_url: baseUrl,
    seed: head.opening.seed,
    clock: clockView(world),
    opened_at: iso(head.openedAt),
    now: iso(nowIn(world)),
    scenarios: head.active.map(({ name }) => name),
    ...(world.services && { services: world.services }),
    tasks: tasks.size,
    requests: world.journal.lastId,
  }
}
