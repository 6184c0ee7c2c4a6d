import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { directAgent, listenError } from '../../../emulator/gateway.ts'
import { connectionHeaders, downloadOperation } from '../../../emulator/words.ts'
import { type Body, type HarFile, type Pair, pairsOf, type RecordedExchange } from '../har.ts'
import { operationOf } from '../operation.ts'
import type { Redactor } from '../redact/redactor.ts'
import { entryOf } from './entry.ts'
import { decoded, isText, type KeptBody, keepFile, keepText } from './keep-body.ts'
import { createLinkMap, type LinkMap, rewriteLinks } from './rewrite-links.ts'

interface RecorderOptions {
  /** The gateway: http or https, with or without a path. */
  upstream: URL
  host: string
  port: number
  file: HarFile
  redactor: Redactor
  /** Called when an entry could not be written. */
  onError(error: unknown): void
}

interface Recorder {
  url: string
  /** Ends within two seconds. The file has every exchange until then, and stays open. */
  close(): Promise<void>
}

/** Replies that take longer are cut when the recorder ends. Wall ms. */
const longestEndMs = 1500

/** Starts a proxy in front of a gateway that records requests and replies. Rejects when the port is in use. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { upstream, file, redactor } = options
  const links = createLinkMap(upstream)
  const running = new Set<Promise<void>>()
  let order: Promise<unknown> = Promise.resolve()
  // One after the other, so that the numbers of names and the entries have the order of the replies.
  const record = (exchange: RecordedExchange): Promise<void> => {
    const written = order.then(async () => file.add(await entryOf(exchange, redactor)))
    order = written.catch(options.onError)
    return written.catch(() => undefined)
  }
  let cutBy: 'client_left' | 'recorder_ended' = 'client_left'
  const passing: Passing = { upstream, links, record, answered: () => file.entries, cutBy: () => cutBy }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const passed = passOn(request, response, passing).finally(() => running.delete(passed))
    running.add(passed)
  })
  // The gateway may take as long as it needs.
  server.requestTimeout = 0
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    async close() {
      server.close()
      server.closeIdleConnections()
      const timeout = new Promise(resolve => setTimeout(resolve, longestEndMs).unref())
      await Promise.race([Promise.all(running), timeout])
      cutBy = 'recorder_ended'
      server.closeAllConnections()
      await Promise.all(running)
      await order
    },
  }
}

function listen(server: Server, { port, host }: RecorderOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => void listenError(error, { host, port }).then(reject)
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

/** Forwards one request and its reply, and records both. Never rejects. */
async function passOn(request: IncomingMessage, response: ServerResponse, passing: Passing): Promise<void> {
  const startedMs = performance.now()
  const startedAt = Date.now()
  const target = passing.links.target(request.url ?? '/')
  const answeredBefore = passing.answered()
  const exchange = { ...exchangeOf(request, target, passing), startedAt, answeredBefore }
  const requestBody = keepText(request.headers['content-encoding'])
  // The recorded body is the part that was sent to the gateway.
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
    refuse(response, 404, 'unknown_link', 'This link is not from this recorder.')
    return finished({ status: 404, statusText: 'Not Found', problem: 'upstream_unreachable' })
  }
  try {
    const reply = await sendOn({
      request,
      response,
      url: new URL(target.url),
      links: passing.links,
      requestBody,
    })
    exchange.waitMs = round(performance.now() - startedMs)
    const { links, cutBy } = passing
    await passBack({ request, response, reply, isFile: target.isFile, links, cutBy, finished })
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy()
      await finished({ status: response.headersSent ? response.statusCode : 0, problem: passing.cutBy() })
      return
    }
    refuse(
      response,
      502,
      'upstream_unreachable',
      `${passing.upstream.origin} cannot be reached: ${reasonOf(error)}`,
    )
    // A gateway that resets the connection was reached.
    const isReset = (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    const problem = isReset ? 'upstream_broke_off' : 'upstream_unreachable'
    await finished({ status: 502, statusText: 'Bad Gateway', problem })
  }
}

function exchangeOf(
  request: IncomingMessage,
  target: { url: string; isFile: boolean } | undefined,
  { upstream }: Passing,
): RecordedExchange {
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

const isUntrusted = /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return isUntrusted.test(code)
    ? `${message}; start the recorder with NODE_EXTRA_CA_CERTS=FILE to trust the certificate in FILE`
    : message
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

/** What the recorder needs to forward a request. */
interface Passing {
  upstream: URL
  links: LinkMap
  answered(): number
  record(exchange: RecordedExchange): Promise<void>
  /** Why a connection to a client ended before its reply: the recorder ends too, and cuts replies that take longer. */
  cutBy(): 'client_left' | 'recorder_ended'
}

type Finished = (
  reply: Pick<RecordedExchange, 'status'> & Partial<RecordedExchange>,
  body?: () => Promise<Body>,
) => Promise<void>

/** A reply on its way to the client. */
interface PassingBack {
  request: IncomingMessage
  response: ServerResponse
  reply: IncomingMessage
  isFile: boolean
  links: LinkMap
  cutBy: Passing['cutBy']
  finished: Finished
}

/** Passes a reply to the client and records the exchange before the last byte. Never rejects. */
async function passBack({
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

/** Headers that the recorder does not forward: those of one connection, and those that it sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([...connectionHeaders, 'host', 'expect', 'accept-encoding'])

type Streams = (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[]

/** The address at which the client reaches the recorder. */
function baseOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? 'localhost'}`
}

/** Smaller bodies are read completely before they are sent, so that their links can be restored and their length is known. Bytes. */
const smallBody = 1024 * 1024

/** A request on its way to the gateway. */
interface Sending {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  links: LinkMap
  requestBody: KeptBody
}

/** Sends a request to the gateway; resolves with the head of the reply. Rejects without a reply, and when the client has left. */
async function sendOn({ request, response, url, links, requestBody }: Sending): Promise<IncomingMessage> {
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
    agent: directAgent(url),
  })
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject)
  })
  // After its reply, a connection may already be used for the next request.
  let isOver = false
  call.once('response', message => message.once('end', () => (isOver = true)))
  response.once('close', () => isOver || call.destroy(new Error('the client has gone')))
  // A reply, such as a 413, may arrive before the gateway has read the whole body.
  const source = whole === undefined ? request : Readable.from([whole], { objectMode: false })
  const stages: Streams = isChanged
    ? [source, rewriteLinks(link => links.restored(link, baseOf(request)))]
    : [source]
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
