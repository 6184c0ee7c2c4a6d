import type { IncomingMessage } from 'node:http'
import { connectionHeaders } from '../http/connection-headers.ts'
import type { Pair } from './har.ts'

/** Headers that the recorder does not forward: those of one connection, and those that it sets itself. */
export const ownHeaders: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  'host',
  'expect',
  'accept-encoding',
])

/** What a body passes on its way. */
export type Streams = (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[]

/** Where the client finds the recorder. */
export function baseOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? 'localhost'}`
}

/** Names and values from Node's flat list of them. */
export function pairsOf(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return pairs
}
