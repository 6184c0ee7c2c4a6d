import type { IncomingHttpHeaders } from 'node:http'
import type { Inputs, Library, SelfLinkFile } from '../../media/index.ts'
import { FaultError } from '../faults/fault.ts'
import { checkActive, type KeyLabel } from '../http/account.ts'
import type { BodyMemory } from '../http/body.ts'
import type { Headers } from '../http/headers.ts'
import type { AllowedValues, Schema } from '../http/validate.ts'
import type { Log } from '../options/log.ts'
import type { Options } from '../options/table.ts'
import type { Reads, TaskPlaces } from '../scenarios/matchers.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import type { NewEntry } from '../worlds/journal.ts'
import type { Task } from '../worlds/task.ts'
import { type Account, nowIn, type World, type WorldDatabase } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** One request on its way through the pipeline, as handlers see it. Body and query have been checked against the endpoint's schemas. */
export interface Call {
  world: World
  /** The generation of the world that the request reached. */
  generation: number
  account: Account
  keyLabel?: KeyLabel
  /** Virtual now, read once so that one request sees one moment; read again after a wait. */
  now: number
  operation: string
  requestId: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  headers: IncomingHttpHeaders
  /** Base of links in replies, without a slash at the end. */
  baseUrl: string
  effects: Effects
  services: Services
  /** What the journal records about this call. */
  trace: Trace
  /** Aborts when the client closes the connection. Absent for calls that do not come from a request. */
  disconnected?(): AbortSignal
}

/** Handlers fill it in for the journal. */
export interface Trace {
  taskIds?: readonly string[]
  /** The task that the request made. */
  made?: Task
  unread?: readonly string[]
  fault?: string
  /** The path of the parameter that a refusal is about. */
  param?: string
  rule?: string
}

/** A handler's reply. A text or bytes are sent unchanged, any other body as JSON. */
export interface Reply {
  kind?: undefined
  status: number
  body?: unknown
  headers?: Headers
  /** The reply is sent after this wait, which is part of the emulation. Other requests do not wait for it. */
  after?: Promise<void>
  /** True for the page of a proxy between client and gateway: the gateway's own headers are missing. */
  isFromProxy?: true
}

/** What is needed to find the model that a request asks for. */
export interface RequestedModel {
  body: unknown
  params: Readonly<Record<string, string>>
  /** Model names that the config file adds, with the neutral id of each. */
  models: Readonly<Record<string, string>>
}

/** One row of the API: the single source of routing, validation and the OpenAPI document. */
export interface Endpoint {
  /** The operation id of the scenario language, such as `a.create`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Every path of the endpoint, `:name` for parameters; the first is the documented one. */
  paths: readonly [string, ...string[]]
  summary: string
  /** True when it exists upstream only and the specification does not list it. */
  beyondSpecification?: boolean
  query?: Schema
  /** Headers that this endpoint reads besides the common ones. They are for the OpenAPI document; the endpoint's rules check them. */
  headers?: Schema
  body?: Schema
  /** By parameter, the enumeration values that the requested model allows, for messages; null where the model takes no value. */
  allows?: (asked: RequestedModel) => AllowedValues
  reads?: Reads
  /** Where a request names tasks that exist, beside `task_id` in its path. */
  tasksIn?: TaskPlaces
  /** The values of the path's parameters that the package knows, an example first, for the OpenAPI document. */
  pathValues?: Readonly<Record<string, readonly string[]>>
  /** Reply schemas by status; checked in tests and under `--strict`. */
  replies: Readonly<Record<number, Schema>>
  handle(call: Call): Reply | Promise<Reply>
}

/** A 200 reply with this body. */
export function ok(body: unknown): Reply {
  return { status: 200, body }
}

/** The world that a request is for, and the base of its links. */
export interface LinkContext {
  world: World
  baseUrl: string
  services: Services
}

/** The parts that handlers use; `emulator.ts` makes them once. */
export interface Services {
  options: Options
  worlds: Worlds
  library: Library
  inputs: Inputs
  /** The file behind a link of this emulator itself; undefined for any other address. */
  selfLink(place: LinkContext, url: URL): SelfLinkFile | undefined
  /** Limits the memory of all request bodies together. */
  bodies: BodyMemory
  database: WorldDatabase
  log: Log
  /** Writes a line for a request of a world; undefined when requests are not logged. */
  logRequest: ((world: string, entry: NewEntry) => void) | undefined
}

/** The required fields of a call. */
type Needed = Pick<Call, 'world' | 'account' | 'services' | 'baseUrl'>

/** A call that does not come from a request of the emulated API. Fields that are not given are empty; the moment is now unless given. */
export function callOf(needed: Needed & Partial<Call>): Call {
  const { world } = needed
  return {
    generation: world.generation,
    now: nowIn(world),
    operation: '',
    requestId: '',
    params: {},
    query: {},
    body: {},
    headers: {},
    effects: noEffects,
    trace: {},
    ...needed,
  }
}

/**
 * The call with clock and account read again, after a wait. Throws `unavailable` when its world no longer exists and
 * `unauthenticated` when its key was disabled during the wait.
 */
export function atThisMoment(call: Call): Call {
  const { world, generation, services } = call
  checkPresent(world, generation)
  const account = services.worlds.account(world, call.account.id)
  checkActive(account, call.keyLabel)
  return { ...call, account, now: nowIn(world) }
}

/** Throws `unavailable` when the world's generation has changed: it was reset, restored, replaced or dropped. */
export function checkPresent(world: World, generation: number | undefined): void {
  if (generation !== undefined && world.generation !== generation) throw worldGone()
}

/** The refusal of a request whose world was reset, restored, replaced or dropped while the request waited. */
export function worldGone(): FaultError {
  const reason =
    'the world was reset, restored, replaced or dropped while the request waited, so the request was not carried out'
  return new FaultError('unavailable', { reason, message: `${reason[0]?.toUpperCase()}${reason.slice(1)}.` })
}
