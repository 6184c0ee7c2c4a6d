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
import { describeMedia, type MediaDescription, mediaLabel } from '../describe-media.ts'
import type { Body, Pair, RecordedExchange } from '../har.ts'
import { type ReadJson, readJson, tooDeepText } from '../har-file.ts'
import {
  isFieldName,
  isModelName,
  isPathStep,
  replySchemas,
  requestSchemas,
  type Schema,
  schemasOfField,
} from './contract.ts'
import { redactHeader } from './header.ts'
import { type JsonPlace, type JsonRedaction, type Redaction, redactJson, redactValue } from './json.ts'
import { redactLink, redactLinksIn } from './link.ts'
import { createPseudonyms, type Pseudonyms, redactName } from './pseudonyms.ts'

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

/** The files in a JSON value, by the string that contains them: data URIs, and long texts in base64. */
async function describeFilesIn(texts: ReadonlySet<string>): Promise<Map<string, MediaDescription>> {
  const described = new Map<string, MediaDescription>()
  for (const text of texts) {
    const known = digestedMedia(text)
    const { bytes, label, form } = bytesOfMedia(text)
    const media = known ?? { ...(await describeMedia(bytes, label)), form }
    // Base64 that is no file may say anything: it is a text.
    if (known || form === 'data_uri' || media.sha256 !== undefined) described.set(text, media)
  }
  return described
}

/** The strings of a JSON value that contain a file. */
function mediaStrings(value: unknown, found = new Set<string>(), key = ''): Set<string> {
  if (typeof value === 'string') {
    if (isFile(value, key)) found.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      mediaStrings(inner, found, Array.isArray(value) ? key : name)
  }
  return found
}

const base64Keys = /^b64_json$|base64|^data$/
const shortestFile = 256

function isFile(text: string, key: string): boolean {
  if (/^data:/i.test(text.slice(0, 5)) || digest.test(text)) return text.includes(',')
  if (text.length < 16 || (text.length < shortestFile && !base64Keys.test(key))) return false
  return /^[A-Za-z0-9+/]{16}/.test(text) && !/[^A-Za-z0-9+/=\s_-]/.test(text) && !/[a-z] [a-z]/i.test(text)
}

const digest = /^(?:data:([^,;]*)[^,]*,)?…\((\d+) characters, sha256 [0-9a-f]{16,64}\)$/

/** The description of a file in an emulator's journal, which keeps type and size, and a digest that anybody may have written. */
function digestedMedia(text: string): MediaDescription | undefined {
  const [whole, type, characters] = digest.exec(text) ?? []
  if (whole === undefined) return undefined
  return {
    type: mediaLabel(type),
    bytes: Math.floor((Number(characters) * 3) / 4),
    form: type === undefined ? 'base64' : 'data_uri',
  }
}

/** The bytes of a string that contains a file, and the type that it announces. */
function bytesOfMedia(text: string): { bytes: Buffer; label: string; form: 'data_uri' | 'base64' } {
  const head = /^data:([^,]{0,200}),/i.exec(text.slice(0, 256))
  if (!head) return { bytes: Buffer.from(text, 'base64'), label: '', form: 'base64' }
  const body = text.slice(head[0].length)
  const isBase64 = /;base64$/i.test(head[1] ?? '')
  return {
    bytes: isBase64 ? Buffer.from(body, 'base64') : Buffer.from(body),
    label: head[1] ?? '',
    form: 'data_uri',
  }
}

/** The gateway in a recording. Its real host may have the name of an account. */
const gatewayOrigin = 'https://gateway.redacted'

/** The address of a request: steps and parameters of the API are kept, ids have their names, all else is left out. */
function redactAddress(text: string, operation: string, how: Redaction): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return gatewayOrigin
  const path = url.pathname.split('/').map(step => redactStep(step, how))
  const query = [...url.searchParams].map(pair =>
    redactParameter(pair, operation, how).map(encodeURIComponent).join('='),
  )
  return `${gatewayOrigin}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function redactStep(step: string, { names }: Redaction): string {
  const plain = decoded(step)
  if (step === '' || isPathStep(step) || isModelName(plain)) return step
  return encodeURIComponent(names.id(plain)).replaceAll('%3A', ':')
}

/** A part of an address without its escapes; one that has wrong escapes as it is. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Items that commas separate have the same names as in a body. */
function redactParameter(
  [name, value]: [string, string],
  operation: string,
  how: Redaction,
): [string, string] {
  const schemas = schemasOfField(requestSchemas(operation, 'query'), name)
  const place: JsonPlace = { schemas, key: name, path: name }
  const shown =
    schemas.length > 0 || isFieldName(name) || how.kept.has(name) ? name : redactName(name, how.names)
  const items = schemas.length > 0 ? value.split(',') : [value]
  return [shown, items.map(item => redactValue(item, how, place)).join(',')]
}
