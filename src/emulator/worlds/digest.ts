import { createHash } from 'node:crypto'
import { excerpt, longestKept, mediaNote } from './excerpt.ts'

const longestText = 1024

/**
 * A request body as journal and tasks keep it. Inline media are replaced by a description (type and size), so that megabytes are
 * not kept. Other texts are cut after `most` UTF-16 units, with a note of their full length.
 */
export function digested(value: unknown, most = Number.POSITIVE_INFINITY): unknown {
  if (typeof value === 'string') return value.length > longestText ? digestText(value, most) : value
  if (Array.isArray(value)) return value.map(entry => digested(entry, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, digested(entry, most)]))
}

/** In shorter texts, inline media are too small to be worth replacing. */
const harmlessLength = 2048
const longestBody = 64 * 1024
/** Finds in the JSON text what `digestText` would replace. Most long texts are lists of tasks; they need not be parsed. */
const mayHoldMedia = /"(?:data:|[^"]{1024})/

/** A body's text as the journal keeps it: media digested, cut at 64 KiB. */
export function keptText(text: string | undefined): string | undefined {
  if (text === undefined || text.length < harmlessLength) return text
  let kept = text
  if (mayHoldMedia.test(text)) {
    try {
      kept = JSON.stringify(digested(JSON.parse(text)))
    } catch {
      // Not JSON, or nested too deeply to be walked through: kept unchanged.
    }
  }
  return kept.length > longestBody ? `${excerpt(kept, longestBody)}…` : kept
}

/** A request as its task keeps it: as JSON text, which needs a fraction of the memory of objects. */
export function keptRequest(body: unknown): string {
  // A large body is digested first: its full text would need the same memory a second time.
  if (isHeavy(body)) return JSON.stringify(digested(body, longestKept))
  const text = JSON.stringify(body)
  return inOnePiece(text.length < harmlessLength ? text : JSON.stringify(digested(body, longestKept)))
}

/** V8 builds JSON texts from several pieces, which need almost twice the memory. Reading a character joins the pieces. */
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

const heavyLength = 1024 * 1024

function isHeavy(value: unknown): boolean {
  if (typeof value === 'string') return value.length > heavyLength
  if (Array.isArray(value)) return value.some(isHeavy)
  if (typeof value !== 'object' || value === null) return false
  const entries: Record<string, unknown> = value as Record<string, unknown>
  for (const key in entries) if (isHeavy(entries[key])) return true
  return false
}

function digestText(text: string, most: number): string {
  const media = /^data:[^,]{0,100},/.exec(text)?.[0] ?? (isBase64(text) ? '' : undefined)
  if (media === undefined)
    return text.length > most ? `${excerpt(text, most)}…(${text.length} characters)` : text
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${media}${mediaNote(text.length, digest)}`
}

/** Bytes of a picture, video or sound give digits, large and small letters; a prompt without a space seldom has all three. */
function isBase64(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{1024}/.test(text) || /[^A-Za-z0-9+/=\s]/.test(text)) return false
  return [/[a-z]/, /[A-Z]/, /[0-9]/].every(kind => kind.test(text))
}
