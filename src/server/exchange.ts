import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply, Trace } from '../http/endpoint.ts'
import type { Headers } from '../http/headers.ts'
import type { Answer } from '../http/reply.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import type { World } from '../worlds/world.ts'
import type { Services } from './services.ts'

/** What the first line of a request tells. */
export interface Arrival {
  request: IncomingMessage
  response: ServerResponse
  services: Services
  path: string
  query: string
}

/** One request and its reply, whichever surface it reached. The pipeline fills it in step by step. */
export interface Exchange<Target = unknown> extends Arrival {
  readonly surface: Surface<Target>
  /** What the surface's route table found for the path. */
  readonly target: Target
  /** The id of the operation, for scenarios and the journal. */
  operation: string
  world: World
  /** The generation of the world that the request reached; undefined for requests that act on worlds from outside. */
  generation: number | undefined
  account: string | undefined
  requestId: string
  /** Milliseconds of this process's steady clock. */
  readonly startedMs: number
  bodyText: string | undefined
  /** The parsed body, or what is wrong with it: scenarios act before a fault in the body is thrown. */
  body: unknown
  bodyFault: unknown
  effects: Effects
  trace: Trace
}

/**
 * A group of paths that are served alike: the emulated API, result links, the control API, paths that do not exist. It has a route
 * table of its own, gives the pipeline its steps, and refuses in its own dialect.
 */
export interface Surface<Target = unknown> {
  /** Step 1: finds world and account, and draws the request's id. */
  identify(exchange: Exchange<Target>): void
  /** Step 2: throws when the caller has no access. */
  checkAccess(exchange: Exchange<Target>): void
  /** Step 3: how much of the body is read. */
  body(exchange: Exchange<Target>): BodyRule
  /** Step 4: what scenarios do to the request. */
  effects(exchange: Exchange<Target>): Effects
  /** Step 5: throws what is wrong with the request. */
  check(exchange: Exchange<Target>): void
  /** Step 6. */
  handle(exchange: Exchange<Target>): Answer | Promise<Answer>
  /** Step 7: false where the reply does not wait until every change is on disk. */
  isCommitted(exchange: Exchange<Target>): boolean
  /** Step 8: the headers of every reply. */
  headers(exchange: Exchange<Target>, now: number): Headers
  /** Step 8: what does not fit the schema of the reply, checked under `--strict`; undefined when it fits. */
  misfit(exchange: Exchange<Target>, reply: Reply): string | undefined
  /** Step 9: whether the exchange gets an entry in its world's journal. */
  isJournaled(exchange: Exchange<Target>): boolean
  /** The dialect: the reply for what was thrown; undefined for what is not a refusal, but a fault of the emulator. */
  refuse(exchange: Exchange<Target>, thrown: unknown): Reply | undefined
}

/**
 * How a body is read. `none`: not at all. `checked`: not at all, but a schema will be checked. Otherwise up to `maxBytes`.
 */
export type BodyRule = { kind: 'none' } | { kind: 'checked' } | { kind: 'read'; maxBytes: number }

export const noBody: BodyRule = { kind: 'none' }
export const noBodyButChecks: BodyRule = { kind: 'checked' }

/** The steps that a surface without scenarios, schemas and bodies need not name. */
export const plainSteps = {
  checkAccess() {},
  body: () => noBody,
  effects: () => noEffects,
  check() {},
  isCommitted: () => false,
  misfit: () => undefined,
} as const

/** What is known about a request before the first step. */
type Opening<Target> = Pick<Exchange<Target>, 'surface' | 'target' | 'operation'>

/**
 * An exchange at its start, in the default world until step 1. Every field is named here: objects put together by spreading would
 * get a hidden class each, five kilobytes a request that only a full collection frees.
 */
export function exchangeOf<Target>(arrival: Arrival, opening: Opening<Target>): Exchange<Target> {
  const { request, response, services, path, query } = arrival
  return {
    surface: opening.surface,
    target: opening.target,
    request,
    response,
    services,
    path,
    query,
    operation: opening.operation,
    world: services.worlds.open('default'),
    generation: undefined,
    account: undefined,
    requestId: '',
    startedMs: performance.now(),
    bodyText: undefined,
    body: undefined,
    bodyFault: undefined,
    effects: noEffects,
    trace: {},
  }
}
