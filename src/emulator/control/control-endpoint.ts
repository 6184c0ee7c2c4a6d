import type { IncomingMessage } from 'node:http'
import type { Schema } from '../http/validate.ts'
import type { Reply, Services } from '../pipeline/endpoint.ts'
import type { AnyReply } from '../pipeline/exchange.ts'
import type { World } from '../worlds/world.ts'

/** One call of the control API. */
export interface ControlCall {
  /** The world that the path names, `default` without one. */
  world: World
  services: Services
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  baseUrl: string
  request: IncomingMessage
}

/** One row of the control API. Paths are relative to `/__emulator`. */
export interface ControlEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  paths: readonly [string, ...string[]]
  summary: string
  /** Set for a call that sets something: it opens the world of its path. All other calls need an open world. */
  opens?: true
  query?: Schema
  body?: Schema
  /** A body that is accepted, and values of the path's parameters, for the OpenAPI document. `{{samples}}` is the address of the samples. */
  example?: { body?: unknown; params?: Readonly<Record<string, string>> }
  /** True when the body may also be a text of type YAML. */
  takesYaml?: true
  /** True when the body may be left out. */
  bodyOptional?: boolean
  /** Set when the body may be larger than the limit of the emulated API. */
  maxBodyBytes?: number
  handle(call: ControlCall): AnyReply | Promise<AnyReply>
}

type Method = ControlEndpoint['method']
type Row = Omit<ControlEndpoint, 'method' | 'paths' | 'query'> & {
  /** A second path. */
  orAt?: string
  /** The parameters of the query, none of them required. */
  query?: NonNullable<Schema['properties']>
}

/** The endpoints of a resource, by method and path. */
export function endpoints(rows: Readonly<Record<`${Method} /${string}`, Row>>): readonly ControlEndpoint[] {
  return Object.entries(rows).map(([call, { orAt, query, ...row }]) => {
    const [method, path = ''] = call.split(' ')
    return {
      ...row,
      ...(query && { query: { type: 'object', properties: query } }),
      method: method as Method,
      paths: orAt === undefined ? [path] : [path, orAt],
    }
  })
}

/** The schema of an object with these properties and no others. */
export function closed(
  properties: NonNullable<Schema['properties']>,
  required: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties,
  }
}

/** A list of the control API, with the other properties of the reply. */
export function listed(items: readonly unknown[], beside: object = {}): Reply {
  return { status: 200, body: { items, ...beside } }
}

export function done(body: unknown = {}, status = 200): Reply {
  return { status, body }
}
