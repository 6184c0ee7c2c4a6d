import type { MediaDescription } from './describe-media.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { redactLink } from './redact-link.ts'
import { redactPrompt } from './redact-prompt.ts'
import { isPseudonym, redactText } from './redact-text.ts'
import { accountName, promptName, secretName } from './secret-names.ts'

/** How a JSON text is redacted. */
export interface JsonRedaction {
  names: Pseudonyms
  prompts: 'kept' | 'redacted'
  /** The files in the text, by the string that contains them. */
  media: ReadonlyMap<string, MediaDescription>
}

/** A JSON value without secrets, files and (unless they are kept) prompts. Types and keys stay; only a file is replaced by its description. */
export function redactJson(value: unknown, how: JsonRedaction, key = ''): unknown {
  if (typeof value === 'string') return redactString(value, how, key)
  if (typeof value === 'number') return accountName.test(key) ? numberFor(value, how) : value
  if (Array.isArray(value)) return value.map(item => redactJson(item, how, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redactText(name, how.names), redactJson(inner, how, name)]),
  )
}

function redactString(text: string, how: JsonRedaction, key: string): unknown {
  const media = how.media.get(text)
  if (media) return media
  if (text === '') return text
  const { names } = how
  if (promptName.test(key))
    return how.prompts === 'kept' ? redactText(text, names) : redactPrompt(text, names)
  if (isPseudonym(text)) return text
  if (accountName.test(key)) return names.hide('account', text)
  if (secretName.test(key)) return names.hide('secret', text)
  return /^https?:\/\/\S+$/i.test(text) ? redactLink(text, names) : redactText(text, names)
}

function numberFor(value: number, { names }: JsonRedaction): number {
  return Number(names.hide('account', String(value)).split('-')[1])
}

/** The strings of a JSON value that contain a file: data URIs, and long texts in base64. */
export function mediaStrings(value: unknown, found = new Set<string>(), key = ''): Set<string> {
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

const digest = /^(?:data:([^,;]*)[^,]*,)?…\((\d+) characters, sha256 ([0-9a-f]{16,64})\)$/

/** The description of a file in an emulator's journal, which keeps type, size and digest only. */
export function digestedMedia(text: string): MediaDescription | undefined {
  const [whole, type, characters, sha256 = ''] = digest.exec(text) ?? []
  if (whole === undefined) return undefined
  return {
    type: type || 'application/octet-stream',
    bytes: Math.floor((Number(characters) * 3) / 4),
    sha256,
    form: type === undefined ? 'base64' : 'data_uri',
  }
}

/** The bytes of a string that contains a file, and the type that it announces. */
export function bytesOfMedia(text: string): { bytes: Buffer; label: string; form: 'data_uri' | 'base64' } {
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
