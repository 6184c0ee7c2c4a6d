import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Transform } from 'node:stream'
import { FaultError, invalid } from '../faults/fault.ts'
import { deepestJson, holdsMoreValues, isNestedDeeper, mostJsonValues } from '../worlds/json-depth.ts'
import { isRecord } from '../worlds/record-values.ts'
import { pause } from '../worlds/wait.ts'

/** The stream that a body is read from. */
interface Flow {
  pause(): void
  resume(): void
}

/** The memory that one body uses, from its first byte until its request is answered. */
interface Share {
  /** Counts bytes that have arrived. The stream is paused when the capacity is used up. */
  hold(bytes: number, flow: Flow): void
  /** Reports that the body has arrived completely. */
  complete(): void
  /** Frees the memory. */
  leave(): void
}

/** Limits the memory that all bodies use together. A slow body counts only with the bytes that have arrived. */
export interface BodyMemory {
  enter(): Share
}

interface BodyLimits {
  /** Bytes that all bodies may hold together. */
  capacity: number
  /** A body up to this size is never paused. Bytes. */
  harmless: number
  /** Resolves when the body that may exceed the capacity has had enough time. */
  patience(): Promise<void>
}

/**
 * A body needs several times its size in memory. With the standard limits ten pictures of 30 MB at once stay well below 1 GB, and
 * bodies below 4 MB never wait.
 */
const standardLimits: BodyLimits = {
  capacity: 96 * 1024 * 1024,
  harmless: 4 * 1024 * 1024,
  patience: () => pause(1000),
}

interface Holder {
  bytes: number
  flow: Flow | undefined
  isComplete: boolean
}

/**
 * Limits for bodies in memory. When the capacity is used up, one body may still continue, so that it completes and frees its
 * memory. When that body makes no progress, the next one may continue instead.
 */
export function createBodyMemory(limits: BodyLimits = standardLimits): BodyMemory {
  const { capacity, harmless, patience } = limits
  const paused: Holder[] = []
  let total = 0
  let ahead: Holder | undefined

  const continueAlone = (holder: Holder) => {
    ahead = holder
    void watch(holder)
  }
  const watch = async (holder: Holder) => {
    for (let seen = holder.bytes; ; seen = holder.bytes) {
      await patience()
      if (ahead !== holder || holder.isComplete) return
      if (holder.bytes > seen || paused.length === 0) continue
      ahead = undefined
      // Moved behind the others, so that each body gets its turn.
      stop(holder)
      return resumeWaiting()
    }
  }
  const stop = (holder: Holder) => {
    holder.flow?.pause()
    paused.push(holder)
  }
  const resumeWaiting = () => {
    while (paused.length > 0 && (total <= capacity || !ahead)) {
      const next = paused.shift()
      if (!next) return
      if (total > capacity) continueAlone(next)
      next.flow?.resume()
    }
  }

  return {
    enter() {
      const holder: Holder = { bytes: 0, flow: undefined, isComplete: false }
      return {
        hold(bytes, flow) {
          holder.flow = flow
          holder.bytes += bytes
          total += bytes
          if (total <= capacity || holder.bytes <= harmless || ahead === holder) return
          if (ahead) stop(holder)
          else continueAlone(holder)
        },
        complete() {
          holder.isComplete = true
        },
        leave() {
          total -= holder.bytes
          holder.bytes = 0
          const at = paused.indexOf(holder)
          if (at >= 0) paused.splice(at, 1)
          if (ahead === holder) ahead = undefined
          resumeWaiting()
        },
      }
    },
  }
}

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
  if (!isRecord(value)) throw new FaultError('invalid_json', { reason: 'it must be an object' })
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
