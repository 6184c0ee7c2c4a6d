import type { IncomingHttpHeaders } from 'node:http'
import type { JSONSchema } from 'json-schema-to-ts'
import type { Effects } from '../scenarios/scenario.ts'
import type { Services } from '../server/services.ts'
import type { Account, World } from '../worlds/world.ts'
import type { Headers } from './headers.ts'

export type Schema = Exclude<JSONSchema, boolean>

/** One request on its way through the pipeline, as handlers see it. Body and query have been checked against the endpoint's schemas. */
export interface Call {
  world: World
  /** The generation of the world that the request reached. */
  generation: number
  account: Account
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
  /** What the journal shall know of this call. */
  trace: Trace
  /** Aborts when the client is gone. Absent for calls that no request made. */
  gone?(): AbortSignal
}

/** Filled in by handlers for the journal. */
export interface Trace {
  taskIds?: readonly string[]
  unread?: readonly string[]
  fault?: string
  rule?: string
}

/** What a handler answers. A text or bytes go out as they are, any other body as JSON. */
export interface Reply {
  kind?: undefined
  status: number
  body?: unknown
  headers?: Headers
  /** The reply is sent when this has passed: a wait that is part of what is emulated, and holds up no other request. */
  after?: Promise<void>
  /** True for the page of a proxy in between: it has none of the gateway's own headers. */
  isFromProxy?: true
}

/** Where a request carries what scenarios and tags look at. Paths are JSON pointers; `*` stands for every index. */
export interface Reads {
  prompts: readonly string[]
  model: (body: unknown, params: Readonly<Record<string, string>>) => unknown
  mode?: (body: unknown) => string | undefined
}

/** What tells which model a request asks for. */
export interface Asked {
  body: unknown
  params: Readonly<Record<string, string>>
  /** Names that the config file adds, with the neutral id of each. */
  models: Readonly<Record<string, string>>
}

export type AllowedValues = Readonly<Record<string, readonly unknown[] | null>>

/** One row of the API: the single source of routing, validation and the OpenAPI document. */
export interface Endpoint {
  /** The operation id of the scenario language, such as `a.create`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Every path it answers on, `:name` for parameters; the first is the documented one. */
  paths: readonly [string, ...string[]]
  summary: string
  /** True when it exists upstream only and the specification does not list it. */
  beyondSpecification?: boolean
  query?: Schema
  /** Headers that it reads besides those of every request; for the OpenAPI document, its rules check them. */
  headers?: Schema
  body?: Schema
  /** By parameter, the values of an enumeration that the model asked for allows, for messages; null where it takes none. */
  allows?: (asked: Asked) => AllowedValues
  reads?: Reads
  /** Reply schemas by status; checked in tests and under `--strict`. */
  replies: Readonly<Record<number, Schema>>
  handle(call: Call): Reply | Promise<Reply>
}

/** The reply of a handler that found nothing to object to. */
export function ok(body: unknown): Reply {
  return { status: 200, body }
}
