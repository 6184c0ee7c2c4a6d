import { STATUS_CODES } from 'node:http'
import { downloadOperation } from '../../scenarios/operations.ts'
import type { MediaDescription } from '../describe-media.ts'
import type { Body, Pair, RecordedExchange } from '../har.ts'
import { type ReadJson, readJson, tooDeepText } from '../read-json.ts'
import { redactAddress } from './address.ts'
import { describeFilesIn, mediaStrings } from './files-in-json.ts'
import { redactHeader } from './header.ts'
import { redactJson } from './json.ts'
import { redactLink } from './link.ts'
import { createPseudonyms } from './pseudonyms.ts'
import type { Redaction } from './secret.ts'
import { redactMessage, redactText } from './text.ts'

/** What a recording keeps of an exchange: everything in which a secret could be, without secrets. */
export interface RedactedExchange {
  url: string
  statusText: string
  requestHeaders: Pair[]
  responseHeaders: Pair[]
  /** The text of the body; undefined without a body, and for a file. */
  requestText: string | undefined
  responseText: string | undefined
}

/** Removes secrets from a recording. It remembers them, so each recording has one redactor. */
export interface Redactor {
  redact(exchange: RecordedExchange): Promise<RedactedExchange>
}

export interface RedactionOptions {
  prompts: 'kept' | 'redacted'
  /** More texts that are secret. */
  words?: readonly string[]
}

/** A new redactor. */
export function createRedactor({ prompts, words = [] }: RedactionOptions): Redactor {
  const how: Redaction = { names: createPseudonyms(words), prompts }
  return {
    async redact(exchange) {
      const request = readJson(textOf(exchange.requestBody))
      const response = readJson(textOf(exchange.responseBody))
      const files = new Set(
        [request, response].flatMap(read => (read.kind === 'json' ? [...mediaStrings(read.value)] : [])),
      )
      const read = { request, response }
      // A secret may stand before the place that shows that it is one. So everything is read twice.
      redactAll(exchange, read, { ...how, media: new Map([...files].map(text => [text, undescribed])) })
      return redactAll(exchange, read, { ...how, media: await describeFilesIn(files) })
    },
  }
}

const undescribed: MediaDescription = { type: 'application/octet-stream', bytes: 0 }

interface Media extends Redaction {
  media: ReadonlyMap<string, MediaDescription>
}

function redactAll(
  exchange: RecordedExchange,
  { request, response }: { request: ReadJson; response: ReadJson },
  how: Media,
): RedactedExchange {
  const { url, operation, status, statusText } = exchange
  const requestHeaders = exchange.requestHeaders.map(pair => redactHeader(pair, how))
  return {
    url: operation === downloadOperation ? redactLink(url, how.names) : redactAddress(url, how),
    requestHeaders,
    responseHeaders: exchange.responseHeaders.map(pair => redactHeader(pair, how)),
    requestText: redactBody(exchange.requestBody, request, how, other => {
      learnFrom(other, how)
      return `[not JSON: ${other.bytes} bytes]`
    }),
    responseText: redactBody(exchange.responseBody, response, how, other => redactReply(other, how)),
    statusText: redactReason(statusText, status),
  }
}

type TextBody = Extract<Body, { kind: 'text' }>

function redactBody(
  body: Body,
  read: ReadJson,
  how: Media,
  redactOther: (body: TextBody) => string,
): string | undefined {
  if (body.kind === 'unread') return `[not read: ${body.bytes} bytes]`
  if (body.kind !== 'text' || read.kind === 'none') return undefined
  if (read.kind === 'json') return JSON.stringify(redactJson(read.value, how))
  if (read.kind === 'broken') return redactOther(body)
  learnFrom(body, how)
  return tooDeepText(body.bytes)
}

/** Of a longer text only the beginning is read for secrets that a reply may repeat. Characters. */
const longestLearned = 1024 * 1024

/** Remembers the secrets of a text that is not kept: a reply may repeat them. */
function learnFrom(body: TextBody, how: Media): void {
  const text = body.text.slice(0, longestLearned)
  redactMessage(text, { ...how, prompts: 'redacted' })
  for (const [name, value] of formFields(text)) {
    // `auth[token]` is `token` in `auth`.
    const keys = name.split(/[[\]]+/).filter(key => key !== '')
    redactJson(
      keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
      how,
    )
  }
}

/** Prompts cannot be found in JSON that was cut. */
function redactReply(body: TextBody, how: Media): string {
  if (/^\s*[{[]/.test(body.text)) {
    learnFrom(body, how)
    return `[not JSON: ${body.bytes} bytes]`
  }
  return isMarkup(body.text) ? redactMarkup(body.text, how) : redactMessage(body.text, how)
}

/** A gateway may write anything behind the status. */
function redactReason(text: string, status: number): string {
  return text === '' || text === STATUS_CODES[status] ? text : 'redacted'
}

function textOf(body: Body): string | undefined {
  return body.kind === 'text' ? body.text : undefined
}

/** The fields of a form, by name: `a=1&b=2`, or the parts of a multipart body. Empty for another text. */
function formFields(text: string): [name: string, value: string][] {
  const boundary = /^--([^\r\n]{1,200})\r?\n/.exec(text)?.[1]
  if (boundary !== undefined) return text.split(`--${boundary}`).flatMap(fieldsOfPart)
  return /^[^\s=&]{1,200}=/.test(text) ? [...new URLSearchParams(text)] : []
}

function fieldsOfPart(part: string): [name: string, value: string][] {
  const [, head = '', body = ''] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n?$/.exec(part) ?? []
  const value = (name: string) => new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(head)?.[1]
  const name = value('name')
  const file = value('filename')
  // A file's name is a text that a person wrote.
  return [
    ...(name === undefined ? [] : [[name, body] as [string, string]]),
    ...(file ? [['title', file] as [string, string]] : []),
  ]
}

/** Elements whose text says what went wrong. All others of an object store's reply may hold keys, hosts and signatures. */
const kept = /^(?:code|message|status|title|h1|h2|p|center)$/i

/** True for XML and HTML. */
function isMarkup(text: string): boolean {
  return /^\s*(?:<\?xml|<!doctype|<[a-z])/i.test(text)
}

/** XML or HTML without attributes, comments and scripts, and with the text of few elements only. */
function redactMarkup(text: string, how: Redaction): string {
  const plain = text.replace(
    /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
    '',
  )
  let element = ''
  return plain
    .split(/(<\/?[a-z][\w:.-]{0,40}[^<>]*>)/i)
    .map(part => {
      const tag = /^<(\/?)([a-z][\w:.-]{0,40})[^<>]*>$/i.exec(part)
      if (!tag) return redactPart(part, element, how)
      const [, slash, name = ''] = tag
      element = slash ? '' : name
      return `<${slash}${redactText(name, how)}>`
    })
    .join('')
}

function redactPart(part: string, element: string, how: Redaction): string {
  if (part.trim() === '') return part
  const clean = redactMessage(part, how)
  return kept.test(element) ? clean : 'redacted'
}
