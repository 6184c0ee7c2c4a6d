import type { IncomingMessage, ServerResponse } from 'node:http'
import { downloadOperation } from '../../../emulator/words.ts'
import { type Body, pairsOf, type RecordedExchange } from '../har.ts'
import { operationOf } from '../operation.ts'
import { keepText } from './keep-body.ts'
import { type Finished, type Passing, passBack } from './pass-back.ts'
import { sendOn } from './send-on.ts'

/** Forwards one request and its reply, and records both. Never rejects. */
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
