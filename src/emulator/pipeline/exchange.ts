import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyLabel } from '../http/account.ts'
import type { Headers } from '../http/headers.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { realTime } from '../worlds/clock.ts'
import type { NewEntry, ReplyEnd } from '../worlds/journal.ts'
import type { MediaFault } from '../worlds/task.ts'
import type { World } from '../worlds/world.ts'
import type { Reply, Services, Trace } from './endpoint.ts'

/** The parts of a request's first line. */
export interface Arrival {
  request: IncomingMessage
  response: ServerResponse
  services: Services
  path: string
  query: string
}

/** One request and its reply, on any surface. The pipeline fills it in step by step. */
export interface Exchange<Target = unknown> extends Arrival {
  readonly surface: Surface<Target>
  /** The route that the surface found for the path. */
  readonly target: Target
  /** The id of the operation, for scenarios and the journal. */
  operation: string
  world: World
  /** The world's generation when the request came; undefined for requests that open, drop or replace worlds. */
  generation: number | undefined
  account: string | undefined
  keyLabel: KeyLabel
  /** Which service of the world sent it. */
  service: string | undefined
  requestId: string
  /** Milliseconds of this process's monotonic clock. */
  readonly startedMs: number
  /** The same in virtual time, epoch ms. */
  cameAt: number
  /** What the connection had sent when a file began, bytes; undefined for other replies. */
  fileFrom: number | undefined
  /** Which call of its operation it is; undefined before rules have counted it. */
  nth: number | undefined
  /** Its entry in the journal. */
  entry: NewEntry | undefined
  end: ReplyEnd | undefined
  /** Where it stands among its world's open requests; -1 when it is not there, or no more. */
  place: number
  bodyText: string | undefined
  /** The parsed body, or what is wrong with it: scenarios act before a fault in the body is thrown. */
  body: unknown
  bodyFault: unknown
  effects: Effects
  trace: Trace
}

/**
 * A group of paths that are served in the same way: the emulated API, result links, the control API, paths that do not exist. It has
 * its own route table, gives the pipeline its steps, and refuses in its own dialect.
 */
export interface Surface<Target = unknown> {
  /** Step 1: finds world and account, and draws the request's id. */
  identify(exchange: Exchange<Target>): void
  /** Step 2: throws when the caller has no access. */
  access(exchange: Exchange<Target>): void
  /** Step 3: the most bytes that the body may have; undefined when it is not read. */
  maxBodyBytes(exchange: Exchange<Target>): number | undefined
  /** Step 4: the effects of scenarios on the request. */
  scenario(exchange: Exchange<Target>): Effects
  /** Step 5: throws the first error in the request. */
  check(exchange: Exchange<Target>): void
  /** Step 6. */
  handle(exchange: Exchange<Target>): AnyReply | Promise<AnyReply>
  /** Step 7: false when the reply does not wait until every change is on disk. */
  isCommitted(exchange: Exchange<Target>): boolean
  /** Step 8: the headers of every reply. */
  headers(exchange: Exchange<Target>, now: number): Headers
  /** Step 8, under `--strict`: how the reply differs from its schema; undefined when it matches. */
  misfit(exchange: Exchange<Target>, reply: Reply): string | undefined
  /** Step 9: whether the world's journal gets an entry for the exchange. */
  isJournaled(exchange: Exchange<Target>): boolean
  /** The dialect: the reply for a thrown refusal; undefined for any other error, which is a fault of the emulator. */
  refuse(exchange: Exchange<Target>, thrown: unknown): Reply | undefined
}

/** Default steps for a surface without callers, scenarios, schemas and bodies, whose exchanges are in no journal. */
export const plainSteps = {
  identify() {},
  access() {},
  maxBodyBytes: () => undefined,
  scenario: () => noEffects,
  check() {},
  isCommitted: () => false,
  headers: () => ({}),
  misfit: () => undefined,
  isJournaled: () => false,
  refuse: () => undefined,
} as const

/** Whether the request's world was reset, restored, replaced or dropped since the request came. */
export function hasGone({ world, generation }: Exchange): boolean {
  return generation !== undefined && world.generation !== generation
}

/** The fields that are known before the first step. */
type Opening<Target> = Pick<Exchange<Target>, 'surface' | 'target' | 'operation'>

/**
 * A new exchange, in the default world until step 1. Every field is set here by name: with spread syntax, V8 would make a hidden
 * class for each object, five kilobytes per request that only a full garbage collection frees.
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
    keyLabel: undefined,
    service: undefined,
    requestId: '',
    startedMs: realTime.elapsedMs(),
    cameAt: 0,
    fileFrom: undefined,
    nth: undefined,
    entry: undefined,
    end: undefined,
    place: -1,
    bodyText: undefined,
    body: undefined,
    bodyFault: undefined,
    effects: noEffects,
    trace: {},
  }
}

/** A file or a part of it. Its headers include the length; `end < start` in the transfer means no payload. */
export interface FileReply {
  kind: 'file'
  status: number
  headers: Headers
  payload: Buffer | AsyncIterable<Buffer> | undefined
  /** Where the payload begins in its file, and the size of the file, in bytes. Absent = the payload is the whole file. */
  place?: { start: number; size: number }
  /** What a scenario does to the bytes. */
  media?: MediaFault | undefined
}

/** The target that a live stream is written to. */
export interface Outlet {
  write(text: string): void
  /** Bytes that the client has not yet taken. */
  readonly waitingBytes: number
  /** Ends the stream. */
  end(): void
  /** Resolves when the client has read the waiting bytes or has closed the connection. */
  drained(): Promise<void>
  /** Breaks the connection. */
  cut(): void
  /** Calls back once, when the client has closed the connection or the stream has ended. */
  onClose(listener: () => void): void
}

/** A reply that continues until one side ends it. */
export interface StreamReply {
  kind: 'stream'
  status: number
  headers: Headers
  run(outlet: Outlet): void
}

/** A page or a file of the console, which Express serves. `otherwise` is called when Express has nothing for the path. */
export interface PageReply {
  kind: 'page'
  status: number
  headers: Headers
  serve(request: IncomingMessage, response: ServerResponse, otherwise: (error?: unknown) => void): void
}

/** Everything that the writer can send. */
export type AnyReply = Reply | FileReply | StreamReply | PageReply
