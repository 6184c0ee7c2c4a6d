import { schemeOf } from '../../../emulator/gateway.ts'
import { plainType } from '../describe-media.ts'
import type { Pair } from '../har.ts'
import { isKnownEnding, redactLink } from './link.ts'
import { isPlainName, type Pseudonyms } from './pseudonyms.ts'

/** A moment as HTTP writes it. */
const date = { test: (value: string) => /^\w{3}, \d/.test(value) && new Date(value).toUTCString() === value }
const codings = /^(?:(?:gzip|br|deflate|identity|zstd|\*)(?:;q=[01](?:\.\d)?)?(?:,\s?)?)+$/
const methods = /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:,\s?)?)+$/

/** Headers whose value is kept when it has this form: fixed words, moments and numbers. Of every other header at most the name is kept. */
const forms: Readonly<Record<string, Pick<RegExp, 'test'>>> = {
  accept:
    /^(?:(?:\*|application|image|video|text)\/(?:\*|json|xml|html|plain|png|jpeg|webp|mp4)(?:;q=[01](?:\.\d)?)?(?:,\s?)?)+$/,
  'accept-encoding': codings,
  'accept-ranges': /^(?:bytes|none)$/,
  allow: methods,
  'access-control-allow-methods': methods,
  'cache-control':
    /^(?:(?:no-store|no-cache|private|public|must-revalidate|immutable|max-age=\d{1,8})(?:,\s?)?)+$/,
  connection: /^(?:keep-alive|close)$/i,
  'content-encoding': codings,
  'content-length': /^\d{1,12}$/,
  'content-range': /^bytes (?:\d{1,12}-\d{1,12}|\*)\/(?:\d{1,12}|\*)$/,
  date,
  expires: date,
  'if-modified-since': date,
  'if-unmodified-since': date,
  'last-modified': date,
  range: /^(?:bytes|lines)=(?:\d{0,12}-\d{0,12},? ?){1,4}$/,
  'retry-after': { test: value => /^\d{1,6}$/.test(value) || date.test(value) },
  'sec-fetch-dest': /^(?:document|empty|image|video)$/,
  'transfer-encoding': /^chunked$/i,
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
