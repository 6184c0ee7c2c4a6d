import type { Cookie } from 'har-format'
import { plainType } from '../describe-media.ts'
import type { Body, GatewayEntry, GatewayFacts, Pair, RecordedExchange } from '../har.ts'
import type { Redactor } from '../redact/redactor.ts'

/** The entry of a recording for an exchange, without its secrets. */
export async function entryOf(exchange: RecordedExchange, redactor: Redactor): Promise<GatewayEntry> {
  const { method, status, durationMs, waitMs } = exchange
  const { url, statusText, requestHeaders, responseHeaders, requestText, responseText } =
    await redactor.redact(exchange)
  const wait = Math.min(waitMs, durationMs)
  return {
    startedDateTime: new Date(exchange.startedAt).toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: cookiesOf(requestHeaders, 'cookie'),
      headers: requestHeaders.map(asHeader),
      queryString: [...new URL(url).searchParams].map(asHeader),
      headersSize: -1,
      bodySize: sizeOf(exchange.requestBody),
      ...(requestText !== undefined && { postData: { mimeType: typeOf(requestHeaders), text: requestText } }),
    },
    response: {
      status,
      statusText,
      httpVersion: 'HTTP/1.1',
      cookies: cookiesOf(responseHeaders, 'set-cookie'),
      headers: responseHeaders.map(asHeader),
      content: {
        size: sizeOf(exchange.responseBody),
        mimeType: typeOf(responseHeaders),
        ...(responseText !== undefined && { text: responseText }),
      },
      redirectURL: headerValue(responseHeaders, 'location') ?? '',
      headersSize: -1,
      bodySize: sizeOf(exchange.responseBody),
    },
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
    _gateway: factsOf(exchange, requestHeaders),
  }
}

function factsOf(exchange: RecordedExchange, requestHeaders: readonly Pair[]): GatewayFacts {
  const authorization = headerValue(requestHeaders, 'authorization')
  const key = /\bkey-\d+$/.exec(authorization ?? '')?.[0]
  const { operation, family, responseBody, clockMs, answeredBefore, problem } = exchange
  return {
    operation,
    ...(family !== undefined && { family }),
    authorization:
      authorization === undefined ? 'none' : /^Bearer key-\d+$/.test(authorization) ? 'bearer' : 'other',
    ...(key !== undefined && { key }),
    ...(responseBody.kind === 'file' && { media: responseBody.media }),
    ...(clockMs !== undefined && { clock_ms: clockMs }),
    ...(answeredBefore !== undefined && { answered_before: answeredBefore }),
    ...(problem !== undefined && { problem }),
  }
}

function asHeader([name, value]: Pair) {
  return { name, value }
}

function headerValue(headers: readonly Pair[], name: string): string | undefined {
  return headers.find(([own]) => own.toLowerCase() === name)?.[1]
}

function typeOf(headers: readonly Pair[]): string {
  const type = headerValue(headers, 'content-type') ?? ''
  return plainType(type) === '' ? 'x-unknown' : type
}

function sizeOf(body: Body): number {
  return body.kind === 'none' ? 0 : body.bytes
}

/** The number of cookies is kept, not their names. */
function cookiesOf(headers: readonly Pair[], name: string): Cookie[] {
  return headers
    .filter(([own]) => own.toLowerCase() === name)
    .map(() => ({ name: 'redacted', value: 'redacted' }))
}
