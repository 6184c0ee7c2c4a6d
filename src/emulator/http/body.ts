import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Transform } from 'node:stream'
import { FaultError, invalid } from '../faults/fault-error.ts'
import { deepestJson, holdsMoreValues, isNestedDeeper, mostJsonValues } from '../worlds/json-depth.ts'
import type { Share } from './large-bodies.ts'

const require = createRequire(import.meta.url)
const largeBytes = 4 * 1024 * 1024

/** Whether a body may be large: its length header says so, or its unpacked size is unknown. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length']
  return (
    announced === undefined || headers['content-encoding'] !== undefined || Number(announced) > largeBytes
  )
}

/** Whether a request announces a large body that is still within the limit. A body over the limit is refused without reading it. */
export function isLarge(request: IncomingMessage, maxBytes: number): boolean {
  const announced = Number(request.headers['content-length'] ?? 0)
  return announced > largeBytes && announced <= maxBytes
}

/**
 * The text of a request's body. Rejects with `too_large` past the limit (bytes after decompression) and `invalid_json` when it
 * cannot be unpacked. `share` counts the memory that the body uses.
 */
export function readBody(request: IncomingMessage, maxBytes: number, share?: Share): Promise<string> {
  return new Promise((resolve, reject) => {
    // The client may have closed the connection while its body waited to be read: then no further event comes.
    if (request.destroyed && !request.complete) return reject(cutShort('ended before it was complete'))
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.resume()
      return reject(tooLarge(maxBytes))
    }
    const chunks: Buffer[] = []
    let bytes = 0
    const stream = unpacked(request)
    // Read and drop the rest of the body, so that the next request on this connection can be read.
    const giveUp = (error: FaultError) => {
      chunks.length = 0
      stream.removeAllListeners('data')
      request.unpipe()
      request.resume()
      if (stream !== request) stream.destroy()
      reject(error)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) giveUp(tooLarge(maxBytes))
      else share?.hold(chunk.length, stream)
    }
    stream.on('data', take)
    stream.on('end', () => {
      share?.complete()
      const text = textOf(chunks)
      chunks.length = 0
      resolve(text)
    })
    stream.on('error', () => giveUp(notPacked(request)))
    request.on('close', () => {
      if (!request.complete) reject(cutShort('ended before it was complete'))
    })
  })
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks
  return chunks.length === 1 && only ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8')
}

function cutShort(how: string): FaultError {
  return new FaultError('invalid_json', { reason: `the body ${how}` })
}

/** Parses the text of a body. Nulls in objects count as absent (A-null). Throws `invalid_json` or `invalid_content_type`. */
export function parseBody(text: string, contentType: string | undefined): unknown {
  checkContentType(contentType)
  if (holdsMoreValues(text, mostJsonValues)) throw invalid('body', `holds more than ${mostJsonValues} values`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new FaultError('invalid_json', {
      reason: error instanceof Error ? error.message : 'it cannot be parsed',
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FaultError('invalid_json', { reason: 'it must be an object' })
  }
  if (isNestedDeeper(text, deepestJson)) throw invalid('body', `is nested deeper than ${deepestJson} levels`)
  return needsCleaning.test(text) ? withoutNulls(value) : value
}

/** Matches a text whose objects may hold a null or a `__proto__` key, also when it is written with escapes. */
const needsCleaning = /null|__proto__|\\u00/

function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === 'application/json') return
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.find(parameter => parameter.trim().startsWith('charset='))?.split('=')[1]
  const isJson = /^application\/([\w.-]+\+)?json$/.test(type.trim())
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset.trim())
  if (isJson && isUtf8) return
  throw new FaultError('invalid_content_type', {
    param: 'Content-Type',
    reason: `"${contentType}" is not application/json`,
  })
}

/** Official clients send every unset option as null. `__proto__` is dropped too: it can only be an attack. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, entry]) => entry !== null && key !== '__proto__')
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutNulls(entry)]))
}

function unpacked(request: IncomingMessage): IncomingMessage | Transform {
  const encoding = encodingOf(request)
  if (encoding === 'identity') return request
  const zlib: typeof import('node:zlib') = require('node:zlib')
  // RFC 9110, 8.4.1.3: x-gzip is another name of gzip.
  const unpack = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  }[encoding]
  if (!unpack)
    throw new FaultError('invalid_content_type', {
      param: 'Content-Encoding',
      reason: `"${encoding}" is not one of gzip, deflate, br`,
    })
  return request.pipe(unpack())
}

function encodingOf({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.toLowerCase() || 'identity'
}

/** The body is not in the encoding that its header names, or is cut short. */
function notPacked(request: IncomingMessage): FaultError {
  const encoding = encodingOf(request)
  if (encoding === 'identity') return cutShort('could not be read')
  return cutShort(`could not be unpacked as its Content-Encoding says, ${encoding}`)
}

function tooLarge(maxBytes: number): FaultError {
  return new FaultError('too_large', { reason: `the body is larger than ${maxBytes} bytes` })
}
