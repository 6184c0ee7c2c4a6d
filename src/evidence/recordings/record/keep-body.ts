import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { describeMedia, mediaLabel, plainType } from '../describe-media.ts'
import type { Body } from '../har.ts'
import { unpacked } from './decode-body.ts'

/** Forwards a body and keeps it, or a description of it. */
export interface KeptBody {
  through: Transform
  /** The kept body. Call it once, after the last byte. */
  body(): Promise<Body>
}

/** A longer text is counted but not kept. Bytes. */
const longestText = 192 * 1024 * 1024
/** A larger file is counted but not measured. Bytes. */
const largestMeasured = 256 * 1024 * 1024

/**
 * Keeps the body of a text (JSON, XML, plain) in memory, and undoes its Content-Encoding for the recording. The last byte is
 * forwarded when `beforeEnd` has resolved.
 */
export function keepText(codings = '', beforeEnd: () => Promise<void> = async () => {}): KeptBody {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    through: holding(async chunk => {
      bytes += chunk.length
      if (bytes <= longestText) chunks.push(chunk)
    }, beforeEnd),
    async body() {
      if (bytes === 0) return { kind: 'none' }
      if (bytes > longestText) return { kind: 'unread', bytes }
      return textBody(await unpacked(Buffer.concat(chunks), codings), bytes)
    },
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes that are no text may spell a text in a way that nobody looks for, so they are not kept. */
function textBody(bytes: Buffer | undefined, packed: number): Body {
  if (!bytes) return { kind: 'unread', bytes: packed }
  try {
    const text = utf8.decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them
    return /[\0-\x08\x0e-\x1a]/.test(text)
      ? { kind: 'unread', bytes: bytes.length }
      : { kind: 'text', text, bytes: bytes.length }
  } catch {
    return { kind: 'unread', bytes: bytes.length }
  }
}

/** Keeps a file on the disk until it has been described. */
export function keepFile(type: string, beforeEnd: () => Promise<void>): KeptBody {
  let bytes = 0
  let place: { folder: string; file: FileHandle } | undefined
  const write = async (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > largestMeasured) return
    if (!place) {
      const folder = await mkdtemp(join(tmpdir(), 'gateway-recording-'))
      place = { folder, file: await open(join(folder, 'file'), 'w') }
    }
    await place.file.write(chunk)
  }
  return {
    through: holding(write, beforeEnd),
    async body() {
      if (!place) return { kind: 'none' }
      const { folder, file } = place
      await file.close()
      try {
        const media =
          bytes > largestMeasured
            ? { type: mediaLabel(type), bytes }
            : await describeMedia(await readFile(join(folder, 'file')), type)
        return { kind: 'file', media, bytes }
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
      }
    },
  }
}

/** Forwards each chunk when the next one arrives. The last chunk waits for `beforeEnd`, so the client has the whole body only after it. */
function holding(keep: (chunk: Buffer) => Promise<void>, beforeEnd: () => Promise<void>): Transform {
  let last: Buffer | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const previous = last
      last = chunk
      keep(chunk).then(() => done(null, previous), done)
    },
    flush(done) {
      beforeEnd().then(() => done(null, last), done)
    },
  })
}

/** Whether a body of that type is kept as a text. */
export function isText(type: string): boolean {
  return /^$|json|xml|^text\/|x-www-form-urlencoded|event-stream/.test(plainType(type))
}
