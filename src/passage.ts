import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Family } from './families/family.ts'
import type { Endpoint, Trace } from './http/endpoint.ts'
import { type Effects, noEffects } from './scenarios/scenario.ts'
import type { Services } from './services.ts'
import { randomFor } from './worlds/random.ts'
import { nowIn, type World } from './worlds/world.ts'

/** A row of the routing table: an endpoint and the family whose dialect it speaks. */
export interface Row {
  endpoint: Endpoint
  family: Family
}

/** What is known of a request while it passes through the rooms. */
export interface Passage extends Row {
  request: IncomingMessage
  response: ServerResponse
  services: Services
  params: Record<string, string>
  query: string
  world: World
  startedMs: number
  requestId: string
  effects: Effects
  trace: Trace
  account?: string
  bodyText?: string
}

/** What every passage starts with. The world is the default one until the key has told another. */
export function arrival(request: IncomingMessage, response: ServerResponse, services: Services) {
  const world = services.worlds.open('default')
  const trace: Trace = {}
  return {
    request,
    response,
    services,
    world,
    trace,
    effects: noEffects,
    requestId: '',
    startedMs: performance.now(),
  }
}

/** Gives the request its id, from the world's seed and its ordinal there. */
export function identify(passage: Passage): void {
  const { world, family } = passage
  const { opening, boots } = world.state.head
  const random = randomFor(opening.seed, 'request', boots * 1e9 + world.requests++)
  passage.requestId = family.dialect.requestId(random, nowIn(world))
}
