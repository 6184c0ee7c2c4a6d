import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { MediaDescription } from '../../src/evidence/recordings/describe-media.ts'
import { operationOf } from '../../src/evidence/recordings/operation.ts'
import { listening } from './input-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a change reaches into replies of every shape
type Json = any

/** A reply on its way to the client. A change edits it. */
export interface Passing {
  operation: string
  path: string
  status: number
  headers: Record<string, string>
  body: Json
  /** The number of earlier replies of this operation. */
  count: number
  /** Facts about the file in a recorded reply. */
  media?: MediaDescription
}

/** Emulates a gateway at `upstream` that differs: every JSON reply is passed to `change`. */
export async function changedGateway(upstream: string) {
  const counts = new Map<string, number>()
  let change: (passing: Passing) => void | Promise<void> = () => undefined
  const { url, close } = await listening(async (request, response) => {
    const sent = await buffer(request)
    const path = request.url ?? '/'
    const { operation } = operationOf(request.method ?? 'GET', path.split('?')[0] ?? '')
    const reply = await fetch(upstream + path, {
      method: request.method ?? 'GET',
      headers: plain(request.headers),
      ...(sent.length > 0 && { body: sent }),
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const count = counts.get(operation) ?? 0
    counts.set(operation, count + 1)
    const headers = Object.fromEntries(reply.headers)
    const isJson = headers['content-type']?.includes('json') === true
    const passing: Passing = {
      operation,
      path,
      status: reply.status,
      headers,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
      count,
    }
    await change(passing)
    delete passing.headers['content-length']
    delete passing.headers.connection
    delete passing.headers['keep-alive']
    response.writeHead(passing.status, passing.headers)
    response.end(isJson ? JSON.stringify(passing.body) : bytes)
  })
  return {
    url,
    close,
    get change() {
      return change
    },
    set change(next) {
      counts.clear()
      change = next
    },
  }
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'].includes(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
