import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { directAgent } from '../../../emulator/gateway.ts'
import { connectionHeaders } from '../../../emulator/words.ts'
import { pairsOf } from '../har.ts'
import type { KeptBody } from './keep-body.ts'
import { type LinkMap, rewriteLinks } from './rewrite-links.ts'

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

/** Smaller bodies are read completely before they are sent, so that their links can be restored and their length is known. Bytes. */
const smallBody = 1024 * 1024

/** A request on its way to the gateway. */
export interface Sending {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  links: LinkMap
  requestBody: KeptBody
}

/** Sends a request to the gateway; resolves with the head of the reply. Rejects without a reply, and when the client has left. */
export async function sendOn({
  request,
  response,
  url,
  links,
  requestBody,
}: Sending): Promise<IncomingMessage> {
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
