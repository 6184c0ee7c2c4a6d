import type { IncomingMessage } from 'node:http'
import type { Pair } from './har.ts'

/** Headers that hold for one connection only (RFC 9110, 7.6.1), and those that are made anew. */
export const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
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
