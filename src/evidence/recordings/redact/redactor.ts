import { STATUS_CODES } from 'node:http'
import {
  allSpellings,
  keysInHeader,
  secretHeader,
  shortestSecret,
  withoutForms,
  withoutKeys,
} from '../../../emulator/gateway.ts'
import { downloadOperation } from '../../../emulator/words.ts'
import type { Body, Pair, RecordedExchange } from '../har.ts'
import { type ReadJson, readJson, tooDeepText } from '../read-json.ts'
import { redactAddress } from './address.ts'
import { replySchemas, requestSchemas, type Schema } from './contract.ts'
import { describeFilesIn, mediaStrings } from './files-in-json.ts'
import { redactHeader } from './header.ts'
import { type JsonRedaction, type Redaction, redactJson } from './json.ts'
import { redactLink, redactLinksIn } from './link.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'

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
      const how: Redaction = { names, prompts, kept: places, shown: shownBy(exchange, names) }
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

/** How a text of an exchange is kept: without links and files, the keys of its request, whichever header or parameter has them, and what has the form of a key. */
function shownBy({ url, requestHeaders }: RecordedExchange, names: Pseudonyms): (text: string) => string {
  const inHeaders = requestHeaders.flatMap(([name, value]) =>
    secretHeader.test(name) ? keysInHeader(value) : [],
  )
  const keys = [...inHeaders, ...withoutKeys(url).values].filter(({ length }) => length >= shortestSecret)
  const spelled = keys.flatMap(key => allSpellings(key).map(text => ({ key, text })))
  // The longest ones first: one may be a part of another.
  spelled.sort((one, other) => other.text.length - one.text.length)
  const nameOf = (key: string) => names.name('key', key)
  return text => {
    const known = spelled.reduce(
      (left, { key, text }) => (left.includes(text) ? left.replaceAll(text, () => nameOf(key)) : left),
      redactLinksIn(text, names),
    )
    return withoutForms(known, nameOf)
  }
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
