import type { IncomingMessage } from 'node:http'
import { connectionHeaders } from '../../http/headers.ts'

/** Headers that the recorder does not forward: those of one connection, and those that it sets itself. */
export const ownHeaders: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  'host',
  'expect',
  'accept-encoding',
])

/** The streams of a pipeline. */
export type Streams = (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[]

/** The address at which the client reaches the recorder. */
export function baseOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? 'localhost'}`
}
