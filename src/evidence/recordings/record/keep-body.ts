import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib'
import { describeMedia, mediaLabel, plainType } from '../describe-media.ts'
import type { Body } from '../har.ts'

/**
 * A stream that decompresses a reply; undefined for an encoding that Node cannot undo. The recorder does not ask for compression,
 * and some gateways announce it for plain bodies: a body counts as gzip only when it begins like gzip.
 */
export async function decoded(reply: IncomingMessage): Promise<Transform | undefined> {
  switch (codingsIn(reply.headers['content-encoding']).join()) {
    case '':
      return new PassThrough()
    case 'gzip':
      return (await beginsAsGzip(reply)) ? createGunzip() : new PassThrough()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      return undefined
  }
}

/** An unpacked text is at most this long, bytes: a small body can unpack to gigabytes. */
const longest = { maxOutputLength: 192 * 1024 * 1024 }

/** The bytes without their encodings; undefined when one is not known or does not fit the bytes. */
async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
  let plain = bytes
  try {
    for (const coding of codingsIn(encoding).reverse()) plain = await withoutCoding(plain, coding)
    return plain
  } catch {
    return undefined
  }
}

async function withoutCoding(bytes: Buffer, coding: string): Promise<Buffer> {
  switch (coding) {
    case 'gzip':
      return isGzip(bytes) ? promisify<Buffer, object, Buffer>(gunzip)(bytes, longest) : bytes
    case 'br':
      return promisify<Buffer, object, Buffer>(brotliDecompress)(bytes, longest)
    case 'deflate':
      // Some programs leave out the two bytes that begin zlib's format.
      return promisify<Buffer, object, Buffer>((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(
        bytes,
        longest,
      )
    default:
      throw new Error(`${coding} cannot be undone`)
  }
}

/** The names of a Content-Encoding, in the order in which they were applied. */
function codingsIn(encoding = ''): string[] {
  return encoding
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim().replace(/^x-/, ''))
    .filter(coding => coding !== '' && coding !== 'identity')
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Reads the first bytes and puts them back into the stream. */
function beginsAsGzip(reply: IncomingMessage): Promise<boolean> {
  return new Promise(resolve => {
    const look = () => {
      const chunk: Buffer | null = reply.read()
      if (chunk === null && !reply.readableEnded && !reply.complete) return
      reply.off('readable', look).off('end', look)
      if (chunk) reply.unshift(chunk)
      resolve(chunk !== null && isGzip(chunk))
    }
    reply.on('readable', look).on('end', look)
  })
}

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

export function isText(type: string): boolean {
  return /^$|json|xml|^text\/|x-www-form-urlencoded|event-stream/.test(plainType(type))
}
