import { STATUS_CODES } from 'node:http'
import {
  allSpellings,
  keysInHeader,
  schemeOf,
  secretHeader,
  shortestSecret,
  withoutForms,
  withoutKeys,
} from '../../../emulator/gateway.ts'
import { downloadOperation } from '../../../emulator/words.ts'
import { describeMedia, type MediaDescription, mediaLabel, plainType } from '../describe-media.ts'
import { type Body, type Pair, type ReadJson, type RecordedExchange, readJson, tooDeepText } from '../har.ts'
import {
  isFieldName,
  isModelName,
  isPathStep,
  replySchemas,
  requestSchemas,
  type Schema,
  schemasOfField,
} from './contract.ts'
import { type JsonPlace, type JsonRedaction, type Redaction, redactJson, redactValue } from './json.ts'
import { isKnownEnding, redactLink, redactLinksIn } from './link.ts'
import { createPseudonyms, isPlainName, type Pseudonyms, redactName } from './pseudonyms.ts'

/** What a recording keeps of an exchange: what the contract knows. */
interface RedactedExchange {
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

/** A moment as HTTP writes it. */
const date = { test: (value: string) => /^\w{3}, \d/.test(value) && new Date(value).toUTCString() === value }

/** Headers that a comparison needs, whose value is kept when it has this form: fixed words, moments and numbers. Of others at most the name is kept. */
const forms: Readonly<Record<string, Pick<RegExp, 'test'>>> = {
  accept:
    /^(?:(?:\*|application|image|video|text)\/(?:\*|json|xml|html|plain|png|jpeg|webp|mp4)(?:;q=[01](?:\.\d)?)?(?:,\s?)?)+$/,
  'accept-ranges': /^(?:bytes|none)$/,
  allow: /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:,\s?)?)+$/,
  'content-range': /^bytes (?:\d{1,12}-\d{1,12}|\*)\/(?:\d{1,12}|\*)$/,
  date,
  'if-modified-since': date,
  'if-unmodified-since': date,
  'last-modified': date,
  range: /^(?:bytes|lines)=(?:\d{0,12}-\d{0,12},? ?){1,4}$/,
  'retry-after': { test: value => /^\d{1,6}$/.test(value) || date.test(value) },
  'sec-fetch-dest': /^(?:document|empty|image|video)$/,
  'x-dashscope-async': /^(?:enable|enabled|disable|disabled)$/,
  'x-vendor-async': /^(?:enable|enabled|disable|disabled)$/,
}

/** Headers whose value must be the same in request and reply, or in a later request. */
const repeated = new Set([
  'x-request-id',
  'x-client-request-id',
  'if-match',
  'if-none-match',
  'if-range',
  'etag',
  'x-vendor-async',
  'x-dashscope-async',
])

/** A header of which only a known form is kept. */
export function redactHeader([name, value]: Pair, names: Pseudonyms): Pair {
  const lower = name.toLowerCase()
  switch (lower) {
    case 'authorization':
    case 'proxy-authorization':
      return [name, redactAuthorization(value, names)]
    case 'content-type':
      return [name, redactType(value)]
    case 'content-disposition':
      return [name, redactDisposition(value)]
    case 'location':
    case 'content-location':
      return [name, redactLink(value, names)]
    case 'x-emulator-rule':
      return [
        name,
        value
          .split(',')
          .map(rule => redactRule(rule.trim(), names))
          .join(','),
      ]
  }
  const form = Object.hasOwn(forms, lower) ? forms[lower] : undefined
  const isForm = form?.test(value) || (lower === 'if-range' && date.test(value))
  const shown = form || isPlainName(name) ? name : names.name('x-header', lower)
  if (isForm || value === '') return [shown, value]
  return [shown, repeated.has(lower) ? names.text(value) : 'redacted']
}

/** A tag of a prompt refuses or does something else. Other rules have names of their author. */
function redactRule(rule: string, names: Pseudonyms): string {
  const tag = /^prompt\/(refuse)?/.exec(rule)
  return tag ? `prompt/${tag[1] ?? 'other'}` : names.name('rule', rule)
}

/** Scheme and blanks are kept, because they decide whether the key is accepted (specification, "Authentication" 3). */
function redactAuthorization(value: string, names: Pseudonyms): string {
  const start = schemeOf(value)
  return start + value.slice(start.length).replace(/[^\s,]+/g, key => names.name('key', key))
}

const types =
  /^(?:application\/(?:json|octet-stream|xml|x-www-form-urlencoded|problem\+json)|text\/(?:plain|html|xml|event-stream)|multipart\/form-data|(?:image|video|audio)\/(?:jpeg|jpg|png|webp|gif|bmp|tiff|heic|heif|avif|mp4|quicktime|webm|mpeg|wav|x-wav|aac|ogg))$/

/** The type when it is a usual one, and the charset when it is one; a boundary may be anything. */
function redactType(value: string): string {
  const charset =
    /;\s*charset="?(utf-?8|utf-16|us-ascii|iso-8859-\d{1,2}|windows-125\d|gbk|gb2312|gb18030|big5)"?/i.exec(
      value,
    )
  const type = plainType(value)
  return (types.test(type) ? type : 'redacted') + (charset ? `; charset=${charset[1]}` : '')
}

function redactDisposition(value: string): string {
  const kind = /^\s*(attachment|inline|form-data)/i.exec(value)?.[1]
  const ending = /filename\*?\s*=[^;]*\.([A-Za-z0-9]{2,5})"?\s*$/i.exec(value)?.[1]?.toLowerCase()
  const isNamed = /filename\*?\s*=/i.test(value)
  const shown = ending !== undefined && isKnownEnding(ending) ? `.${ending}` : ''
  return [kind ?? 'redacted', ...(isNamed ? [`filename="redacted${shown}"`] : [])].join('; ')
}
