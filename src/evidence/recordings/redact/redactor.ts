import { STATUS_CODES } from 'node:http'
import { masksFor, secretHeader } from '../../../emulator/gateway.ts'
import { downloadOperation } from '../../../emulator/words.ts'
import type { Body, Pair, RecordedExchange } from '../har.ts'
import { type ReadJson, readJson, tooDeepText } from '../read-json.ts'
import { redactAddress } from './address.ts'
import { replySchemas, requestSchemas, type Schema } from './contract.ts'
import { describeFilesIn, mediaStrings } from './files-in-json.ts'
import { redactHeader } from './header.ts'
import { type JsonRedaction, type Redaction, redactJson } from './json.ts'
import { redactLink } from './link.ts'
import { createPseudonyms } from './pseudonyms.ts'

/** What a recording keeps of an exchange: what the contract knows. */
export interface RedactedExchange {
  url: string
  statusText: string
  requestHeaders: Pair[]
  responseHeaders: Pair[]
  /** The text of the body; undefined without a body, and for a file. */
  requestText: string | undefined
  responseText: string | undefined
}

/** Leaves out of a recording what the contract does not know. It numbers what it leaves out, so each recording has one redactor. */
export interface Redactor {
  redact(exchange: RecordedExchange): Promise<RedactedExchange>
}

export interface RedactionOptions {
  prompts: 'kept' | 'redacted'
  /** Paths in bodies and queries whose values are kept too, such as `error.code` and `items[].note`. */
  kept?: readonly string[]
}

/** A new redactor. */
export function createRedactor({ prompts, kept = [] }: RedactionOptions): Redactor {
  const names = createPseudonyms()
  const places = new Set(kept)
  return {
    async redact(exchange) {
      const { url, operation, status, statusText, requestHeaders, requestBody, responseBody } = exchange
      const how: Redaction = { names, prompts, kept: places, mask: maskOf(requestHeaders) }
      const request = readJson(textOf(requestBody))
      const response = readJson(textOf(responseBody))
      const files = [request, response].flatMap(read =>
        read.kind === 'json' ? [...mediaStrings(read.value)] : [],
      )
      const media = await describeFilesIn(new Set(files))
      const inJson = { ...how, media }
      return {
        url: operation === downloadOperation ? redactLink(url, names) : redactAddress(url, operation, how),
        requestHeaders: requestHeaders.map(pair => redactHeader(pair, names)),
        responseHeaders: exchange.responseHeaders.map(pair => redactHeader(pair, names)),
        requestText: redactBody(requestBody, request, {
          how: inJson,
          schemas: requestSchemas(operation, 'body'),
        }),
        responseText: redactBody(responseBody, response, {
          how: inJson,
          schemas: replySchemas(operation, status),
        }),
        statusText: statusText === '' || statusText === STATUS_CODES[status] ? statusText : 'redacted',
      }
    },
  }
}

/** Masks the keys of a request, whichever header has them, and texts that have the form of a key. */
function maskOf(headers: readonly Pair[]): (text: string) => string {
  const masks = headers.filter(([name]) => secretHeader.test(name)).map(([, value]) => masksFor(value).text)
  return text => masks.reduce((left, mask) => mask(left), masksFor(undefined).text(text))
}

function redactBody(
  body: Body,
  read: ReadJson,
  { how, schemas }: { how: JsonRedaction; schemas: readonly Schema[] },
): string | undefined {
  if (body.kind === 'unread') return `[not read: ${body.bytes} bytes]`
  if (body.kind !== 'text' || read.kind === 'none') return undefined
  if (read.kind === 'json') return JSON.stringify(redactJson(read.value, how, { schemas, key: '', path: '' }))
  return read.kind === 'broken' ? `[not JSON: ${body.bytes} bytes]` : tooDeepText(body.bytes)
}

function textOf(body: Body): string | undefined {
  return body.kind === 'text' ? body.text : undefined
}
