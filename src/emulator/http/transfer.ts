import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import parseRange from 'range-parser'
import type { Headers } from './headers.ts'

/** Which part of a file is sent, with which status and headers. */
export interface Transfer {
  status: number
  headers: Headers
  file: string
  /** First and last byte, both included; `end < start` means no body. */
  start: number
  end: number
  /** Size of the whole file, bytes. */
  size: number
  /** True when the request asks for the file's first byte, and not only for its headers. */
  startsAtFirstByte: boolean
}

interface Source {
  file: string
  /** Bytes. */
  size: number
  etag: string
  headers: Headers
  /** False when the client cannot have this file: then what it says about the file that it has does not end the transfer with 304. */
  mayBeKnown: boolean
}

/** Decides what a GET or HEAD of a file answers: whole, one range (206), 304, 412 or 416. Several ranges get the whole file. */
export function planTransfer(request: IncomingMessage, source: Source): Transfer {
  const { size } = source
  const headers: Headers = { ...source.headers, 'Accept-Ranges': 'bytes', ETag: source.etag }
  const nothing = { file: source.file, size, start: 0, end: -1, startsAtFirstByte: false }
  const lastModified = source.headers['Last-Modified']?.toString()
  const ended = endOfPreconditions(request.headers, { etag: source.etag, lastModified })
  if (ended === 304 && source.mayBeKnown) return { ...nothing, status: ended, headers }
  if (ended === 412) return { ...nothing, status: ended, headers: { ...headers, 'Content-Length': 0 } }
  const range = rangeOf(request, size, source)
  if (range === 'unsatisfiable')
    return {
      ...nothing,
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 },
    }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`
  headers['Content-Length'] = end - start + 1
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return { ...nothing, status, headers }
  return { status, headers, file: source.file, size, start, end, startsAtFirstByte: start === 0 }
}

function rangeOf(
  { headers }: IncomingMessage,
  size: number,
  { etag, headers: own }: Source,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  if (headers.range === undefined) return undefined
  // The client has a part of another version of the file: a range of this one would not match it (RFC 9110, 13.1.5).
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag && condition !== own['Last-Modified']) return undefined
  // A range that ends before it starts is invalid and is ignored (RFC 9110, 14.1.1).
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range) ?? []
  if (Number(last) < Number(first)) return undefined
  // A suffix longer than the file means the whole file (RFC 9110, 14.1.2).
  const [, tail] = /^bytes=-(\d+)$/.exec(headers.range) ?? []
  if (size > 0 && Number(tail) > size) return { start: 0, end: size - 1 }
  const ranges = parseRange(size, headers.range, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** What a client's conditions are compared with. */
interface Version {
  etag: string
  lastModified: string | undefined
}

/** The status when the conditions of a GET or HEAD fail: 412 or 304; undefined when the file may be sent (RFC 9110, 13.2.2). */
function endOfPreconditions(headers: IncomingHttpHeaders, version: Version): 304 | 412 | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined) {
    if (!lists(match, version.etag)) return 412
  } else if (isSince(headers['if-unmodified-since'], version) === false) return 412
  if (noneMatch !== undefined) return lists(noneMatch.replaceAll('W/', ''), version.etag) ? 304 : undefined
  return isSince(headers['if-modified-since'], version) ? 304 : undefined
}

function lists(tags: string, etag: string): boolean {
  return tags.split(',').some(tag => tag.trim() === '*' || tag.trim() === etag)
}

/** Whether a date is not before the file's; undefined when the date is missing or cannot be read. */
function isSince(date: string | undefined, { lastModified }: Version): boolean | undefined {
  const [asked, own] = [Date.parse(date ?? ''), Date.parse(lastModified ?? '')]
  return Number.isNaN(asked) || Number.isNaN(own) ? undefined : asked >= own
}

/** A signal that aborts when the client or the server closes the connection. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed || response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/**
 * What is done when a connection closes: one listener, however many requests wait there. A list, since a set leaves its old tables behind
 * when it grows, and these carry each request into the old memory: tasks then lie far apart, and whoever reads all of them takes half as
 * long again.
 */
const atClose = new WeakMap<Socket, (() => void)[]>()

/** Calls `act` when the connection closes. Returns what takes this back; a connection may live long. */
export function whenClosed(socket: Socket, act: () => void): () => void {
  const acts = atClose.get(socket) ?? []
  if (!atClose.has(socket)) {
    atClose.set(socket, acts)
    socket.once('close', () => {
      for (const one of acts.splice(0)) one()
    })
  }
  acts.push(act)
  return () => {
    const index = acts.indexOf(act)
    if (index >= 0) acts.splice(index, 1)
  }
}
