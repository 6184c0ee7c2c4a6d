import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { decoded } from './decode-reply.ts'
import { downloadOperation } from './entry.ts'
import type { Body, Exchange, Pair } from './har.ts'
import { isText, type KeptBody, keepFile, keepText } from './keep-body.ts'
import { operationOf } from './operation.ts'
import { type LinkMap, rewriteLinks } from './rewrite-links.ts'

/** What a request needs on its way through the recorder. */
export interface Passing {
  upstream: URL
  links: LinkMap
  /** How many entries the recording has. */
  answered(): number
  /** Resolves when the entry is in the file. */
  record(exchange: Exchange): Promise<void>
}

/** Headers that hold for one connection only (RFC 9110, 7.6.1), and those that are made anew. */
const ownHeaders = new Set([
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

/** Smaller bodies are read whole before they go on, so that links in them can be restored and their length be told. Bytes. */
const smallBody = 1024 * 1024

type Finished = (
  reply: Pick<Exchange, 'status'> & Partial<Exchange>,
  body?: () => Promise<Body>,
) => Promise<void>

type Streams = (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[]

/** Passes one request on and its reply back, and records both. Never rejects. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  passing: Passing,
): Promise<void> {
  const startedMs = performance.now()
  const startedAt = Date.now()
  const target = passing.links.target(request.url ?? '/')
  const answeredBefore = passing.answered()
  const exchange = { ...exchangeOf(request, target, passing), startedAt, answeredBefore }
  const requestBody = keepText()
  // The recorded body is what the gateway was sent, however far it came.
  let isRecorded = false
  const finished: Finished = async (reply, body) => {
    if (isRecorded) return
    isRecorded = true
    await passing.record({
      ...exchange,
      durationMs: round(performance.now() - startedMs),
      requestBody: await requestBody.body(),
      ...(body && { responseBody: await body() }),
      ...reply,
    })
  }
  if (!target) {
    refuse(response, 404, 'unknown_link', 'This link was not given out by the recorder.')
    return finished({ status: 404, statusText: 'Not Found', problem: 'upstream_unreachable' })
  }
  try {
    const reply = await sent({
      request,
      response,
      url: new URL(target.url),
      links: passing.links,
      requestBody,
    })
    exchange.waitMs = round(performance.now() - startedMs)
    await passBack({ request, response, reply, isFile: target.isFile, links: passing.links, finished })
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy()
      await finished({ status: response.headersSent ? response.statusCode : 0, problem: 'client_left' })
      return
    }
    const message = `${passing.upstream.origin} cannot be reached: ${error instanceof Error ? error.message : error}`
    refuse(response, 502, 'upstream_unreachable', message)
    await finished({ status: 502, statusText: 'Bad Gateway', problem: 'upstream_unreachable' })
  }
}

function exchangeOf(
  request: IncomingMessage,
  target: { url: string; isFile: boolean } | undefined,
  { upstream }: Passing,
): Exchange {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const found = target?.isFile ? { operation: downloadOperation } : operationOf(request.method ?? 'GET', path)
  const none: Body = { kind: 'none' }
  return {
    startedAt: 0,
    durationMs: 0,
    waitMs: 0,
    operation: found.operation,
    ...('family' in found && { family: found.family }),
    method: request.method ?? 'GET',
    url: target?.url ?? upstream.origin + path,
    requestHeaders: pairsOf(request.rawHeaders),
    requestBody: none,
    status: 0,
    statusText: '',
    responseHeaders: [],
    responseBody: none,
  }
}

interface Sending {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  links: LinkMap
  requestBody: KeptBody
}

/** The head of the reply. Rejects when there is none, or the client has gone. */
async function sent({ request, response, url, links, requestBody }: Sending): Promise<IncomingMessage> {
  const headers = pairsOf(request.rawHeaders).filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  headers.push(['Host', url.host], ['Accept-Encoding', 'identity'])
  const length = request.headers['content-length']
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  const isSmall = length !== undefined && Number(length) <= smallBody
  const whole = hasBody && isSmall ? await wholeBody(request, links, baseOf(request)) : undefined
  const isChanged = hasBody && !isSmall && links.isUsed
  const kept = headers.filter(
    ([name]) => name.toLowerCase() !== 'content-length' || (whole === undefined && !isChanged),
  )
  if (whole !== undefined) kept.push(['Content-Length', String(whole.length)])
  const call = (url.protocol === 'https:' ? https : http).request(url, {
    method: request.method ?? 'GET',
    headers: kept.flat() as unknown as http.OutgoingHttpHeaders,
  })
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject)
  })
  // A connection that has brought its reply may carry the next request already.
  let isOver = false
  call.once('response', message => message.once('end', () => (isOver = true)))
  response.once('close', () => isOver || call.destroy(new Error('the client has gone')))
  // A reply may come before the whole body was taken, as a 413 does.
  const source = whole === undefined ? request : Readable.from([whole], { objectMode: false })
  const stages: Streams = isChanged ? [source, restoring(links, baseOf(request))] : [source]
  if (hasBody) pipeline([...stages, requestBody.through, call]).catch(error => call.destroy(error))
  else call.end()
  return reply
}

async function wholeBody(request: IncomingMessage, links: LinkMap, base: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return links.isUsed && bytes.includes(base)
    ? Buffer.from(links.restored(bytes.toString('utf8'), base), 'utf8')
    : bytes
}

function restoring(links: LinkMap, base: string) {
  return rewriteLinks(link => links.restored(link, base))
}

interface PassingBack {
  request: IncomingMessage
  response: ServerResponse
  reply: IncomingMessage
  isFile: boolean
  links: LinkMap
  finished: Finished
}

async function passBack({ request, response, reply, isFile, links, finished }: PassingBack): Promise<void> {
  const status = reply.statusCode ?? 502
  const type = reply.headers['content-type'] ?? ''
  const responseHeaders = pairsOf(reply.rawHeaders)
  const base = baseOf(request)
  const told = { status, statusText: reply.statusMessage ?? '', responseHeaders }
  const beforeEnd = () => finished(told, () => kept.body())
  // What the client has whole is in the file: the last byte waits for the entry.
  const kept: KeptBody = isText(type) ? keepText(beforeEnd) : keepFile(type, beforeEnd)
  const isJson = /json/i.test(type) && request.method !== 'HEAD'
  const isChanged = isJson && !isFile
  const isPacked = reply.headers['content-encoding'] !== undefined && request.method !== 'HEAD'
  response.writeHead(
    status,
    reply.statusMessage,
    headersBack(responseHeaders, { isChanged, isPacked }, link => links.toClient(link, base)).flat(),
  )
  const stages: Streams = [
    reply,
    ...(isPacked ? [await decoded(reply)] : []),
    kept.through,
    ...(isChanged ? [rewriteLinks(link => links.toClient(link, base))] : []),
    response,
  ]
  try {
    await pipeline(stages)
  } catch {
    response.destroy()
    const problem = reply.complete || !reply.errored ? 'client_left' : 'upstream_broke_off'
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

/** Where the client finds the recorder. */
function baseOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? 'localhost'}`
}

function pairsOf(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return pairs
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const text = JSON.stringify({ error: { code, message } })
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
