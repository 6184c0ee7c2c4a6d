import { describeMedia, type MediaDescription } from './describe-media.ts'
import type { Body, Pair } from './har.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { readJson, tooDeepText } from './read-json.ts'
import { bytesOfMedia, digestedMedia, mediaStrings, redactJson } from './redact-json.ts'
import { redactLink } from './redact-link.ts'
import { isPseudonym, redactText } from './redact-text.ts'
import { accountName, plainHeaders, secretName } from './secret-names.ts'

/** Removes secrets from a recording. It remembers them, so each recording has one redactor. */
export interface Redactor {
  names: Pseudonyms
  header(pair: Pair): Pair
  /** The address of a request of the API. */
  address(url: string): string
  /** The address of a file. */
  link(url: string): string
  /** The text that is recorded for a body; undefined without a body. */
  body(body: Body, part: 'request' | 'response'): Promise<string | undefined>
}

export interface RedactionOptions {
  prompts: 'kept' | 'redacted'
  /** More texts that are secret. */
  words?: readonly string[]
}

/** A new redactor. */
export function createRedactor({ prompts, words = [] }: RedactionOptions): Redactor {
  const names = createPseudonyms(words)
  return {
    names,
    header: pair => redactHeader(pair, names),
    address: url => redactAddress(url, names),
    link: url => redactLink(url, names),
    async body(body, part) {
      if (body.kind !== 'text' || body.text === '') return undefined
      const read = readJson(body.text)
      if (read.kind === 'too_deep') return tooDeepText(body.bytes)
      if (read.kind !== 'json')
        return part === 'response' ? plainReply(body, names) : plainRequest(body, { prompts, names })
      const media = await describeAll(mediaStrings(read.value))
      return JSON.stringify(redactJson(read.value, { names, prompts, media }))
    },
  }
}

/** Text that is not JSON may contain anything, also a prompt. */
function plainRequest(
  { text, bytes }: { text: string; bytes: number },
  { prompts, names }: { prompts: 'kept' | 'redacted'; names: Pseudonyms },
): string {
  return prompts === 'kept' ? redactText(text, names) : `[not JSON: ${bytes} bytes]`
}

/** Prompts cannot be found in JSON that was cut. */
function plainReply({ text, bytes }: { text: string; bytes: number }, names: Pseudonyms): string {
  return /^\s*[{[]/.test(text) ? `[not JSON: ${bytes} bytes]` : redactText(text, names)
}

async function describeAll(texts: ReadonlySet<string>): Promise<Map<string, MediaDescription>> {
  const described = new Map<string, MediaDescription>()
  for (const text of texts) {
    const known = digestedMedia(text)
    const { bytes, label, form } = bytesOfMedia(text)
    described.set(text, known ?? { ...(await describeMedia(bytes, label)), form })
  }
  return described
}

function redactHeader([name, value]: Pair, names: Pseudonyms): Pair {
  const lower = name.toLowerCase()
  if (lower === 'authorization' || lower === 'proxy-authorization')
    return [name, redactAuthorization(value, names)]
  if (lower === 'cookie' || lower === 'set-cookie') {
    for (const [, text = ''] of value.matchAll(/=([^;,\s]+)/g)) names.hide('cookie', text)
    return [name, 'redacted']
  }
  if (plainHeaders.has(lower)) return [name, redactText(value, names)]
  if (lower === 'location' || lower === 'content-location') return [name, redactLink(value, names)]
  if (lower.startsWith('x-emulator-')) return [name, redactText(value, names)]
  if (lower === 'host') return [name, value]
  if (lower === 'traceparent' && isTraceparent(value)) return [name, value]
  // An unknown header may hold anything. Its name is kept.
  if (secretName.test(lower) || accountName.test(lower.replace(/^x-/, '').replaceAll('-', '_')))
    names.hide('secret', value)
  return [name, 'redacted']
}

/** Ids of a trace and a span, and flags (W3C Trace Context, level 1). A value of another form may hold anything. */
function isTraceparent(value: string): boolean {
  return /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value)
}

/** Scheme and blanks are kept, because they decide whether the key is accepted (specification, "Authentication" 3). */
function redactAuthorization(value: string, names: Pseudonyms): string {
  const [, scheme = '', rest = ''] = /^([A-Za-z]+\s+)?([\s\S]*)$/.exec(value) ?? []
  return scheme + rest.replace(/[^\s,]+/g, token => (isPseudonym(token) ? token : names.hide('key', token)))
}

function redactAddress(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return redactText(text, names)
  url.username = ''
  url.password = ''
  const query = [...url.searchParams].map(([name, value]) => {
    const kept =
      secretName.test(name) || accountName.test(name)
        ? names.hide('secret', value)
        : redactValue(value, names)
    return `${encodeURIComponent(name)}=${encodeURIComponent(kept)}`
  })
  const path = url.pathname
    .split('/')
    .map(part => redactSegment(part, names))
    .join('/')
  return `${url.origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function redactSegment(part: string, names: Pseudonyms): string {
  const plain = safelyDecoded(part)
  const clean = redactText(plain, names)
  return clean === plain ? part : encodeURIComponent(clean)
}

function redactValue(value: string, names: Pseudonyms): string {
  return /^https?:\/\//i.test(value) ? redactLink(value, names) : redactText(value, names)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
