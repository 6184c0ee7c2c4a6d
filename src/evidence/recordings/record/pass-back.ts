import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type Body, type Pair, pairsOf, type RecordedExchange } from '../har.ts'
import { decoded } from './decode-body.ts'
import { isText, type KeptBody, keepFile, keepText } from './keep-body.ts'

import { type LinkMap, rewriteLinks } from './rewrite-links.ts'
import { baseOf, ownHeaders, type Streams } from './send-on.ts'

/** What the recorder needs to forward a request. */
export interface Passing {
  upstream: URL
  links: LinkMap
  /** The number of entries in the recording. */
  answered(): number
  /** Resolves when the entry is in the file. */
  record(exchange: RecordedExchange): Promise<void>
  /** Why a connection to a client ended before its reply: the recorder ends too, and cuts replies that take longer. */
  cutBy(): 'client_left' | 'recorder_ended'
}

/** Records the exchange, once. */
export type Finished = (
  reply: Pick<RecordedExchange, 'status'> & Partial<RecordedExchange>,
  body?: () => Promise<Body>,
) => Promise<void>

/** A reply on its way to the client. */
export interface PassingBack {
  request: IncomingMessage
  response: ServerResponse
  reply: IncomingMessage
  isFile: boolean
  links: LinkMap
  cutBy: Passing['cutBy']
  finished: Finished
}

/** Passes a reply to the client and records the exchange before the last byte. Never rejects. */
export async function passBack({
  request,
  response,
  reply,
  isFile,
  links,
  cutBy,
  finished,
}: PassingBack): Promise<void> {
  const status = reply.statusCode ?? 502
  const type = reply.headers['content-type'] ?? ''
  const responseHeaders = pairsOf(reply.rawHeaders)
  const base = baseOf(request)
  const told = { status, statusText: reply.statusMessage ?? '', responseHeaders }
  const beforeEnd = () => finished(told, () => kept.body())
  // The last byte waits for the entry, so that the file has every reply that the client received completely.
  const encoding = request.method === 'HEAD' ? undefined : reply.headers['content-encoding']
  const decoder = encoding === undefined ? undefined : await decoded(reply)
  const isPacked = decoder !== undefined
  const kept: KeptBody = isText(type)
    ? keepText(isPacked ? undefined : encoding, beforeEnd)
    : keepFile(type, beforeEnd)
  const isJson = /json/i.test(type) && request.method !== 'HEAD'
  const isChanged = isJson && !isFile && (isPacked || encoding === undefined)
  response.writeHead(
    status,
    reply.statusMessage,
    headersBack(responseHeaders, { isChanged, isPacked }, link => links.toClient(link, base)).flat(),
  )
  const stages: Streams = [
    reply,
    ...(decoder ? [decoder] : []),
    kept.through,
    ...(isChanged ? [rewriteLinks(link => links.toClient(link, base))] : []),
    response,
  ]
  try {
    await pipeline(stages)
  } catch {
    response.destroy()
    const problem = reply.complete || !reply.errored ? cutBy() : 'upstream_broke_off'
    await finished({ ...told, problem }, () => kept.body())
  }
}

function headersBack(
  headers: readonly Pair[],
  { isChanged, isPacked }: { isChanged: boolean; isPacked: boolean },
  toClient: (link: string) => string,
): Pair[] {
  return headers
    .filter(([name]) => {
      const lower = name.toLowerCase()
      if (lower === 'content-length') return !isChanged && !isPacked
      if (lower === 'content-encoding') return !isPacked
      return !ownHeaders.has(lower) || lower === 'accept-encoding'
    })
    .map(([name, value]) => [name, name.toLowerCase() === 'location' ? toClient(value) : value])
}
