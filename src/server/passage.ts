import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Row } from '../families/routes.ts'
import type { Trace } from '../http/endpoint.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { nowIn, requestRandom, type World } from '../worlds/world.ts'
import type { Services } from './services.ts'

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
  account: string | undefined
  bodyText: string | undefined
}

/** How a request came in, as far as its first line tells. */
export type Arrival = Pick<Passage, 'request' | 'response' | 'services' | 'params' | 'query'>

/**
 * A passage at its start. The world is the default one until the key has told another. Every field is named here: objects put
 * together from others by spreading would get a hidden class of their own each, five kilobytes a request that only a full
 * collection takes away.
 */
export function passageOf({ endpoint, family }: Row, arrival: Arrival): Passage {
  const { request, response, services, params, query } = arrival
  return {
    endpoint,
    family,
    request,
    response,
    services,
    params,
    query,
    world: services.worlds.open('default'),
    startedMs: performance.now(),
    requestId: '',
    effects: noEffects,
    trace: {},
    account: undefined,
    bodyText: undefined,
  }
}

/** Gives the request its id, from the world's seed and its ordinal there. */
export function identify(passage: Passage): void {
  const { world, family } = passage
  passage.requestId = family.dialect.requestId(requestRandom(world), nowIn(world))
}
