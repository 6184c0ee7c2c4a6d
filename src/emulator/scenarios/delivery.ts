import { headerOf } from '../http/headers.ts'

/** A reply that is being sent. `bytes` of a stream is its Content-Length. */
export interface Outgoing {
  status: number
  headers: Readonly<Record<string, string | number>>
  payload: Buffer | AsyncIterable<Buffer>
  /** Where the payload is in its file: its first byte, and the size of the file. Absent = the payload is the whole file. */
  place?: { start: number; size: number }
}

/** How a reply is sent. */
export interface Delivery extends Outgoing {
  bytesPerSecond?: number | undefined
  /** After so many bytes of the payload nothing more is sent, until somebody releases the request. */
  stallsAt?: number
  /** What happens after the last byte: the normal end, or a broken connection. */
  ending: 'end' | 'reset' | 'destroy'
}

/** The first part of a payload (fraction 0..1 of the length in the headers), rounded down. */
export function firstPart(reply: Outgoing, fraction: number): Outgoing['payload'] {
  return firstBytes(reply.payload, Math.floor(promisedBytes(reply) * fraction))
}

/**
 * The part of the payload before one place of the file (fraction 0..1 of its size), for any range: a client that continues with
 * another range does not get further.
 */
export function upToPlace(reply: Outgoing, fraction: number): Outgoing['payload'] {
  return firstBytes(reply.payload, bytesBefore(reply, fraction))
}

/** How many bytes of the payload come before that place. */
export function bytesBefore(reply: Outgoing, fraction: number): number {
  const { start, size } = reply.place ?? { start: 0, size: promisedBytes(reply) }
  return Math.max(0, Math.floor(size * fraction) - start)
}

function firstBytes(payload: Outgoing['payload'], bytes: number): Outgoing['payload'] {
  return Buffer.isBuffer(payload) ? payload.subarray(0, bytes) : upTo(payload, bytes)
}

/**
 * The payload with the first byte of its file and every 13th byte after it changed; the length stays the same. `start` is the
 * payload's first byte in the file, so that a range has the same bytes as the whole file.
 */
export function garbled(payload: Outgoing['payload'], start = 0): Outgoing['payload'] {
  return Buffer.isBuffer(payload) ? garbledChunk(payload, start) : garbledChunks(payload, start)
}

async function* garbledChunks(chunks: AsyncIterable<Buffer>, start: number): AsyncGenerator<Buffer> {
  let at = start
  for await (const chunk of chunks) {
    yield garbledChunk(chunk, at)
    at += chunk.length
  }
}

function garbledChunk(chunk: Buffer, at: number): Buffer {
  const copy = Buffer.from(chunk)
  // The top bit changes ASCII into invalid UTF-8, so that JSON cannot be parsed.
  for (let i = (13 - (at % 13)) % 13; i < copy.length; i += 13) copy[i] = (copy[i] ?? 0) ^ 0x80
  return copy
}

async function* upTo(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  if (left === 0) return
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

/** How long a reply is by its headers. */
export function promisedBytes({ headers, payload }: Outgoing): number {
  if (Buffer.isBuffer(payload)) return payload.length
  return Number(headerOf(headers, 'content-length') ?? 0)
}

const ofTheFile = new Set(['content-length', 'content-range', 'accept-ranges', 'etag'])

/** The headers for another body: headers that described the old body are removed. */
export function withBody(
  headers: Outgoing['headers'],
  body: { bytes: number; type?: string },
): Outgoing['headers'] {
  const kept = Object.entries(headers).filter(([name]) => {
    const lower = name.toLowerCase()
    return !ofTheFile.has(lower) && !(body.type && lower === 'content-type')
  })
  return {
    ...Object.fromEntries(kept),
    ...(body.type && { 'Content-Type': body.type }),
    'Content-Length': body.bytes,
  }
}
