import { createHash } from 'node:crypto'
import { extension } from 'mime-types'
import { measure, mediaType, sniff } from '../../media/index.ts'

/** What a recording keeps of a file instead of its bytes. Values that do not apply or are not known are absent. */
export interface MediaDescription {
  /** The media type, such as `image/png`; read from the bytes when they are known. */
  type: string
  bytes: number
  /** SHA-256 of the bytes of a picture, a video or a sound, hex. */
  sha256?: string
  width?: number
  height?: number
  seconds?: number
  fps?: number
  /** Whether there is a sound track. */
  audio?: boolean
  /** A picture that is not opaque everywhere. */
  transparent?: true
  /** How a JSON text contained it. */
  form?: 'data_uri' | 'base64'
}

/** Larger files are not measured, only counted. */
const largestMeasured = 512 * 1024 * 1024

/** Describes a file from its bytes. Never rejects: a file that cannot be read is described by its type and size only. */
export async function describeMedia(bytes: Buffer, label: string): Promise<MediaDescription> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const known = { type: typeOf(bytes, label), bytes: bytes.length }
  if (bytes.length > largestMeasured) return known
  try {
    const facts = await measure(bytes, sha256)
    const isMedia = /^(?:image|video|audio)$/.test(facts.kind)
    return {
      ...known,
      // A text is found again by its digest, also one that begins like a file.
      ...(isMedia && { sha256 }),
      type: facts.format === 'txt' ? known.type : typeOfFormat(facts.kind, facts.format, known.type),
      ...(facts.widthPx !== undefined && { width: facts.widthPx }),
      ...(facts.heightPx !== undefined && { height: facts.heightPx }),
      ...(facts.seconds !== undefined && { seconds: facts.seconds }),
      ...(facts.fps !== undefined && { fps: facts.fps }),
      ...(facts.hasAudio !== undefined && { audio: facts.hasAudio }),
      ...(facts.isTransparent && { transparent: true as const }),
    }
  } catch {
    // A broken file has no measures.
    return known
  }
}

/** True for the description that replaces a file in a recorded JSON text. */
export function isMediaDescription(value: unknown): value is MediaDescription {
  if (typeof value !== 'object' || value === null) return false
  const { type, bytes, form } = value as Partial<MediaDescription>
  return typeof type === 'string' && typeof bytes === 'number' && (form === 'data_uri' || form === 'base64')
}

function typeOf(bytes: Buffer, label: string): string {
  const found = sniff(bytes)
  if (!found || found.format === 'txt') return mediaLabel(label)
  return typeOfFormat(found.kind, found.format, plainType(label))
}

function typeOfFormat(kind: string, format: string, label: string): string {
  const named = mediaType(format)
  if (named !== 'application/octet-stream') return named
  return kind === 'document' ? label || named : `${kind}/${format}`
}

/** The media type that a label announces, when it is one: a client may write anything there. */
export function mediaLabel(label = ''): string {
  const type = plainType(label)
  return /^(?:image|video|audio|text|application|model|font)\/[a-z0-9.+-]{1,40}$/.test(type) &&
    extension(type) !== false
    ? type
    : 'application/octet-stream'
}

/** `image/png; charset=x` without its parameters. */
export function plainType(label: string): string {
  return label.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
