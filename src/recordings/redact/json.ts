import type { MediaDescription } from '../describe-media.ts'
import { readJson } from '../read-json.ts'
import { redactLink } from './link.ts'
import { searchable } from './plain-text.ts'
import { redactPrompt } from './prompt.ts'
import { inShape } from './pseudonyms.ts'
import { isFieldName, isPlainName, isPublicWord } from './public-words.ts'
import type { Redaction } from './secret.ts'
import {
  countName,
  isAccountName,
  messageName,
  promptName,
  promptObjectName,
  secretName,
} from './secret-names.ts'
import { redactMessage, redactText } from './text.ts'

/** How a JSON text is redacted. */
export interface JsonRedaction extends Redaction {
  /** The files in the text, by the string that contains them. */
  media: ReadonlyMap<string, MediaDescription>
}

/** Where a value is: the key that it or the array around it has, and what the keys above it mean. */
interface JsonPlace {
  key: string
  below?: Meaning
}
type Meaning = 'secret' | 'account' | 'prompt'

/**
 * A JSON value without secrets, files and (unless they are kept) prompts. Types, keys and the lengths of texts stay; only a file
 * is replaced by its description.
 */
export function redactJson(value: unknown, how: JsonRedaction, place: JsonPlace = { key: '' }): unknown {
  if (typeof value === 'string') return redactString(value, how, place)
  if (typeof value === 'number') return redactNumber(value, how, place)
  if (Array.isArray(value))
    return value.map((item, at) =>
      redactJson(item, how, isPairedValue(value, at) ? { ...place, below: 'secret' } : place),
    )
  if (typeof value !== 'object' || value === null) return value
  const below = meaningBelow(place)
  const isSecretPair = Object.entries(value).some(([key, inner]) => nameKey.test(key) && namesSecret(inner))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const meaning = isSecretPair && valueKey.test(key) ? 'secret' : below
      return [redactKey(key, how, below), redactJson(inner, how, { key, ...(meaning && { below: meaning }) })]
    }),
  )
}

/** The keys of a pair such as `{"name": "x-api-key", "value": "…"}`. */
const nameKey = /^(?:name|key|header|field|k)$/i
const valueKey = /^(?:values?|val|v|content)$/i

function namesSecret(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^[\w.-]{1,64}$/.test(value) &&
    secretName.test(value) &&
    !countName.test(value)
  )
}

/** The second of two, or each second of a list of names and values, behind the name of a secret: `["x-api-key", "…"]`. */
function isPairedValue(list: readonly unknown[], at: number): boolean {
  const value = list[at]
  if (at % 2 === 0 || list.length % 2 === 1 || !namesSecret(list[at - 1])) return false
  return typeof value === 'string' && !isPlainName(value) && !isFieldName(value)
}

/** What a key means for everything below its object. */
function meaningBelow({ key, below }: JsonPlace): Meaning | undefined {
  if (below === 'secret' || secretName.test(key)) return 'secret'
  if (below) return below
  if (isAccountName(key)) return 'account'
  return promptObjectName.test(key) ? 'prompt' : undefined
}

/** Below the name of a secret, the keys may be secrets too. */
function redactKey(key: string, how: JsonRedaction, below: Meaning | undefined): string {
  if (below === 'secret' && !isPlainName(key) && !isFieldName(key)) return how.names.hide('secret', key)
  return redactText(key, how)
}

function meaningOf({ key, below }: JsonPlace): Meaning | undefined {
  if (below === 'secret' || secretName.test(key)) return 'secret'
  if (promptName.test(key)) return 'prompt'
  return isAccountName(key) ? 'account' : below
}

function redactString(text: string, how: JsonRedaction, place: JsonPlace): unknown {
  const { names } = how
  const media = how.media.get(text)
  if (media) return media
  if (text === '') return text
  const meaning = meaningOf(place)
  if (meaning === 'prompt' && !(place.below === 'prompt' && isPublicWord(text)))
    return how.prompts === 'kept' ? redactMessage(text, how) : redactPrompt(text, names)
  if (meaning === 'secret' || meaning === 'account') return inShape(names.hide(meaning, text), text)
  if (/^https?:\/\/\S+$/i.test(text)) return redactLink(text, names)
  const known = names.nameOf(searchable(Buffer.from(text, 'utf8').toString('latin1')))
  // Short numbers, names of accounts and the words of the API are the same by chance.
  const isChance = /^\d{1,5}$/.test(text) || known?.startsWith('account-') || isPublicWord(text)
  if (known !== undefined && !isChance) return inShape(known, text)
  const inner = jsonIn(text)
  if (inner !== undefined) return JSON.stringify(redactJson(inner, how))
  return /\s|[^!-~]/.test(text) || messageName.test(place.key)
    ? redactMessage(text, how)
    : redactText(text, how)
}

/** The value of a string that is itself JSON. */
function jsonIn(text: string): unknown {
  if (!/^\s*[{["]/.test(text)) return undefined
  const read = readJson(text)
  return read.kind === 'json' && typeof read.value !== 'number' ? read.value : undefined
}

function redactNumber(value: number, how: JsonRedaction, place: JsonPlace): number {
  const text = String(value)
  const meaning = place.below === 'secret' || place.below === 'account' ? place.below : meaningOf(place)
  const isSecret = (meaning === 'secret' && !countName.test(place.key)) || meaning === 'account'
  const name = isSecret ? how.names.hide(meaning, text) : hiddenNumber(text, how)
  if (name === undefined) return value
  const number = Number(inShape(name, text.replace(/\D/g, '')))
  return Number.isInteger(value) ? number : number + 0.5
}

/** A number elsewhere that is a hidden one. Short numbers are the same by chance. */
function hiddenNumber(text: string, { names }: JsonRedaction): string | undefined {
  return text.length >= 6 ? names.nameOf(text) : undefined
}
