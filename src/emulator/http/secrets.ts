// What is secret, by name and by form. Journal, traces, recordings, and the stand-in for a vendor's host ask here.

/** Headers by which clients send their key. Each is a secret header, too. */
export const keyHeader =
  /^(authorization|(x-)?api-?key|x-goog-api-key|(x-)?access-?key|(x-)?(auth|access)-token|(x-)?token)$/i
/** Names of headers, and of matchers' fields, whose values are secret, whatever their form. */
export const secretHeader = /authorization|(api|access)-?key|token|secret|password|cookie/i

/** Parameters by which clients send their key. Each is a secret parameter, too. */
export const keyParameter =
  /^(x-)?(api[-_]?key|key|access[-_]?(key|token)(_id)?|auth[-_]?token|token|authorization|secret(_key)?|ak|sk)$/i
/** Whole words: `monkey` is none, nor is the place in a list that `page_token` names. */
export const secretParameter =
  /^(?!(?:page|next)[-_]?token$)(?:[a-z0-9]+[-_.])*(?:(?:api|access|secret|private)[-_]?key(?:[-_]?id)?|(?:access|auth|security|session|refresh|id)[-_]?token(?:[-_]?id)?|(?:client|api|app)[-_]?secret|key|token|secret|password|passwd|authorization|ak|sk)$/i

const secretVariable =
  /(^|_)(API_?KEYS?|(ACCESS|SECRET|PRIVATE|SIGNING)_?KEYS?(_ID)?|SECRETS?|TOKENS?|PASSWORD|PASSWD|CREDENTIALS?|AUTH|AUTHORIZATION|KEY|AK|SK)$/i

/** What stands before a key in a header, with the blanks after it. */
const schemes = /^(?:bearer|basic|digest|negotiate|token|apikey|key)(?:\s+|$)/i

/** What programs send whose variable is not set. No service takes it for a key. */
const noKey = /^(undefined|null|none|nil|false|)$/i

/** Spec, "Authentication" 5: asset identifiers are treated like keys. The emulator's own have the form asset-YYYYMMDDHHMMSS-xxxxx. */
const assetReferences = /\basset:\/\/[A-Za-z0-9_-]+/g
const assetIds = /\basset-\d{14}-[a-z0-9]+/g
/** A word such as `disk-drive` is no key, and no word is as long. */
const keys = /(?<![A-Za-z0-9])sk-[A-Za-z0-9][A-Za-z0-9._~+/=-]{7,}/g
const signatures = /(Signature=)[A-Za-z0-9]+/g

/** Shorter texts would be found inside ordinary words. */
export const shortestSecret = 8

/** The values of variables whose names are those of keys. Paths are none. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    secretVariable.test(name) && !/^[./~]|^[A-Za-z]:\\/.test(value) ? [value] : [],
  )
}

/** The beginning of a header's value that is no part of its key, such as `Bearer `; empty when there is none. */
export function schemeOf(value: string): string {
  return schemes.exec(value)?.[0] ?? ''
}

/** The key in a header's value, or in that of a parameter; undefined when it is none. */
export function keyIn(value: string): string | undefined {
  const key = value.slice(schemeOf(value).length).trim()
  return noKey.test(key) ? undefined : key
}

/** A text with something in the place of what has the form of a secret: signatures of links, identifiers of assets, and keys. */
export function withoutForms(text: string, maskKey: (key: string) => string): string {
  if (!text.includes('Signature=') && !text.includes('asset') && !text.includes('sk-')) return text
  return text
    .replace(signatures, '$1…')
    .replace(assetReferences, 'asset://…')
    .replace(assetIds, 'asset-…')
    .replace(keys, maskKey)
}

/** A text as requests and replies hold it: plain, in URLs, in JSON. */
function spellings(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
}

/** The same, and in JSON without other letters, in base64 with anything around it, and in hexadecimal digits. */
export function allSpellings(text: string): string[] {
  const plain = spellings(text)
  const ascii = (plain[2] ?? '').replaceAll(
    /[\u0080-\uffff]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const coded = [0, 1, 2].map(before => inBase64(text, before))
  const forUrls = coded.map(one => one.replaceAll('+', '-').replaceAll('/', '_'))
  return [...plain, ascii, Buffer.from(text).toString('hex'), ...coded, ...forUrls]
}

/** The digits of base64 that a text alone decides, with so many bytes before it, such as those of a name in `Basic`. */
function inBase64(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
  const digits = (bits: number) => bits / 6
  return bytes.toString('base64').slice(Math.ceil(digits(before * 8)), Math.floor(digits(bytes.length * 8)))
}

/**
 * The keys in a header's value: the whole, its parts when it is a list of them, the name of a key before its scope in `Credential=`, and the
 * name and password of `Basic`.
 */
export function keysInHeader(value: string): string[] {
  const token = keyIn(value)
  if (token === undefined) return []
  const basic = /^basic\s/i.test(value) ? Buffer.from(token, 'base64').toString('utf8').split(':') : []
  const parts = /[\s,;=]/.test(token)
    ? token.split(/[\s,;]+/).flatMap(part => {
        const value = part.replace(/^[\w.-]+=/, '')
        return [part, value, ...(/^credential=/i.test(part) ? value.split('/', 1) : [])]
      })
    : []
  return [token, ...basic, ...parts]
}

/** A path and query without the parameters that have a key, their values, and the name of the first. */
export function withoutKeys(path: string): { path: string; values: string[]; name?: string } {
  const at = path.indexOf('?')
  if (at < 0) return { path, values: [] }
  const pairs = path.slice(at + 1).split('&')
  const isKey = (pair: string) => keyParameter.test(decoded(pair.split('=', 1)[0] ?? ''))
  const found = pairs.filter(isKey)
  const rest = pairs.filter(pair => !isKey(pair)).join('&')
  const values = found.flatMap(pair => {
    const raw = pair.slice(pair.indexOf('=') + 1)
    return [decoded(raw), raw]
  })
  const [first] = found
  return {
    path: path.slice(0, at) + (rest === '' ? '' : `?${rest}`),
    values,
    ...(first !== undefined && { name: decoded(first.split('=', 1)[0] ?? '') }),
  }
}

/** A name or value of a query without its escapes. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A text as the journal, stories, tasks and the log show it: signatures of links, identifiers of assets, and keys are masked. */
export function maskSecrets(text: string): string {
  return withoutForms(text, maskKey)
}

/** Masks every text inside a JSON value, names of properties too. */
export function maskedJson<T>(value: T): T {
  if (typeof value === 'string') return maskSecrets(value) as T
  if (Array.isArray(value)) return value.map(maskedJson) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskSecrets(key), maskedJson(entry)]),
  ) as T
}

/** A value goes on over a `?` after which no parameter begins: an address may stand in a query, with a query of its own. */
const parameters = /([?&])([^?&#=]+)=[^?&#]*(?:\?(?![^?&#=]+=)[^?&#]*)*/g

/** How the texts of one request are shown. */
export interface Masks {
  text(text: string): string
  /** The path and query: also the values of parameters such as `api_key`, whatever their form. */
  path(path: string): string
  header(name: string, value: string): string
}

/**
 * Masks for the texts of one request: also for the request's own key, whatever its form, where the client has put it somewhere else
 * too.
 */
export function masksFor(authorization: string | undefined): Masks {
  const key = authorization?.replace(/^\w+\s+/, '').trim() ?? ''
  const spelled = key.length < shortestSecret ? [] : [...new Set(spellings(key))]
  // A function: in a text, `$&` would stand for what was found.
  const text = (given: string) =>
    maskSecrets(
      spelled.reduce(
        (all, one) => (all.includes(one) ? all.replaceAll(one, () => maskKey(key)) : all),
        given,
      ),
    )
  return {
    text,
    path: path => text(path.includes('=') ? path.replace(parameters, masked) : path),
    header: (name, value) => (secretHeader.test(name) ? maskKey(value) : text(value)),
  }
}

function masked(parameter: string, start: string, name: string): string {
  return secretParameter.test(decoded(name)) ? `${start}${name}=…` : parameter
}

/** Enough of a key to recognize it. A client may send a real key of another service here, and not all of those begin with `sk-`. */
export function maskKey(value: string): string {
  const [, scheme = '', key = ''] = /^(\w+\s+)?(\S*)/s.exec(value) ?? []
  const isKey = scheme !== '' || !/^(bearer|basic|token)$/i.test(key)
  return `${scheme}${key.slice(0, isKey && key.length <= 10 ? 3 : 7)}…`
}
