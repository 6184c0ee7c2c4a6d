import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
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
export async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
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
