import { lookup } from 'node:dns/promises'
import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GivenUp, InputError, isShortage, shortReference } from './errors.ts'
import { checkReach, decide, hostOf, type InputPolicy, parseLink, reachOf } from './fetch-policy.ts'

export interface Address {
  address: string
  family: number
}

export interface DownloadLimits {
  policy: InputPolicy
  /** Bytes after decompression. */
  maxBytes: number
  /** Ends the download; told of each connection and each part of the file. */
  deadline: Deadline
  resolve(host: string): Promise<readonly Address[]>
}

export type LinkRead = { kind: 'body'; bytes: Buffer } | { kind: 'stand_in'; reason: string }

const mostRedirects = 3

/** The limits of reading one link, redirects included. */
type LinkLimits = Pick<DownloadLimits, 'policy' | 'maxBytes' | 'resolve'> & {
  /** For the whole reading; half of it without a byte ends it too. Time in which this process has no processor does not count. */
  timeLimitMs: number
  /** Ends the reading early. */
  signal: AbortSignal | undefined
}

/** Reads a link as `readLink` does, within a time limit that starts now. Throws `timeout` when it is over, and the signal's reason. */
export async function readLinkWithin(
  url: URL,
  { timeLimitMs, signal, ...limits }: LinkLimits,
): Promise<LinkRead> {
  const deadline = startDeadline({ wholeMs: timeLimitMs, silentMs: timeLimitMs / 2 }, signal)
  try {
    return await readLink(url, { ...limits, deadline })
  } finally {
    deadline.end()
  }
}

/**
 * Reads a link within the policy, or returns why its properties must be assumed. Follows at most three
 * redirects, and checks each address like the first. Throws InputError `forbidden_address`, `unreachable`, `too_large`, `timeout`.
 */
async function readLink(start: URL, limits: DownloadLimits): Promise<LinkRead> {
  let url = start
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const decision = await decide(url, limits.policy)
    if (decision.kind === 'stand_in') return decision
    const answer = await download(url, limits)
    if (answer.kind === 'body') return answer
    if (answer.kind === 'no_answer') return assumeUnlessLocal(url, answer.reason)
    url = redirected(url, answer.location)
  }
  throw new InputError('unreachable', `${start.host} redirects more than ${mostRedirects} times`)
}

/** A server on this machine that does not answer is a mistake of the caller, which an assumed file would hide. */
async function assumeUnlessLocal(url: URL, reason: string): Promise<LinkRead> {
  const host = hostOf(url)
  const isLocal = /(^|\.)localhost$/.test(host) || (await reachOf(host)) === 'loopback'
  if (isLocal) throw new InputError('unreachable', reason)
  return { kind: 'stand_in', reason }
}

function redirected(from: URL, location: string): URL {
  if (URL.canParse(location, from.href)) return parseLink(new URL(location, from).href)
  throw new InputError(
    'unreachable',
    `${from.host} redirects to "${shortReference(location)}", which is not an http or https link`,
  )
}

type HostAnswer =
  | { kind: 'body'; bytes: Buffer }
  | { kind: 'redirect'; location: string }
  | { kind: 'no_answer'; reason: string }

/** All addresses of a name, from the operating system. */
export function resolveName(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true })
}

/**
 * Requests one link once; the caller decides about redirects. The connection is made to the address that was
 * checked, so a name cannot change its address between check and use.
 * Throws InputError `unreachable` (an answer, but no file), `too_large`, `timeout` or `forbidden_address`.
 */
async function download(url: URL, limits: DownloadLimits): Promise<HostAnswer> {
  const progress = { isConnected: false }
  try {
    return await readAnswer(await request(url, limits, progress), url, limits)
  } catch (error) {
    const { signal } = limits.deadline
    if (error instanceof InputError || !signal.aborted) return judge(error, url)
    if (!isTimeout(signal)) throw signal.reason
    // Before the connection is open there is no server, later it is too slow.
    if (!progress.isConnected) return judge(Object.assign(new Error('no answer'), { code: 'ESILENT' }), url)
    throw tooSlow(url)
  }
}

/** Errors that mean that no server is at the address, in contrast to a server with a bad reply. */
const silence =
  /^(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENODATA|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL|ESILENT|ERR_INVALID_IP_ADDRESS)$/

function judge(error: unknown, url: URL): HostAnswer {
  if (error instanceof InputError) throw error
  if (isShortage(error)) throw new GivenUp(`${url.host} could not be asked: ${String(error)}`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = `${url.host} cannot be reached (${code || String(error)})`
  if (silence.test(code)) return { kind: 'no_answer', reason }
  throw new InputError('unreachable', reason)
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}

function tooSlow(url: URL): InputError {
  return new InputError('timeout', `${url.host} did not send the whole file in the time that is allowed`)
}

async function request(
  url: URL,
  limits: DownloadLimits,
  progress: { isConnected: boolean },
): Promise<IncomingMessage> {
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'generation-gateway-emulator',
  }
  const options = {
    agent: false,
    headers,
    lookup: pinned(limits),
    signal: limits.deadline.signal,
  }
  return new Promise((resolve, reject) => {
    const sent = open(url, options, resolve)
    sent.on('error', reject)
    sent.on('socket', socket =>
      socket.once('connect', () => {
        progress.isConnected = true
        limits.deadline.heard()
      }),
    )
    sent.end()
  })
}

/** A lookup that returns only checked addresses; a name with one forbidden address is refused. */
function pinned(limits: DownloadLimits): LookupFunction {
  return (host, options, done) => {
    checkedAddresses(host, limits).then(
      found => {
        const [first] = found
        if (options.all) done(null, [...found])
        else if (first) done(null, first.address, first.family)
      },
      error => done(error, '', 0),
    )
  }
}

async function checkedAddresses(host: string, limits: DownloadLimits): Promise<readonly Address[]> {
  const found = await limits.resolve(host)
  if (found.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })
  for (const { address } of found) {
    const reach = await reachOf(address)
    checkReach(reach, `${host} (${address})`, limits.policy)
    if (limits.policy !== 'all' && reach !== 'loopback') {
      throw new InputError(
        'forbidden_address',
        `${host} (${address}) is outside the inputs policy "${limits.policy}"`,
      )
    }
  }
  return found
}

async function readAnswer(answer: IncomingMessage, url: URL, limits: DownloadLimits): Promise<HostAnswer> {
  try {
    const status = answer.statusCode ?? 0
    const location = answer.headers.location
    if (status >= 300 && status < 400 && location) return { kind: 'redirect', location }
    if (status !== 200)
      throw new InputError('unreachable', `${url.host} answered ${status}, and 200 is needed`)
    const announced = Number(answer.headers['content-length'] ?? 0)
    if (announced > limits.maxBytes) throw tooLarge(url, `${announced} bytes`, limits.maxBytes)
    return { kind: 'body', bytes: await readBody(decoded(answer, url), url, limits) }
  } finally {
    answer.destroy()
  }
}

function tooLarge(url: URL, size: string, maxBytes: number): InputError {
  return new InputError('too_large', `the file at ${url.host} has ${size}; at most ${maxBytes} are allowed`)
}

/** Some servers compress without being asked. The decompressed bytes are counted, so that a decompression bomb ends at the limit. */
function decoded(answer: IncomingMessage, url: URL): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return answer
  const unpack = unpackers[encoding]?.()
  if (!unpack)
    throw new InputError(
      'unreachable',
      `${url.host} sends content encoding "${encoding}", which is not supported`,
    )
  answer.on('error', error => unpack.destroy(error))
  return answer.pipe(unpack)
}

const unpackers: Record<
  string,
  () => ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>
> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** Enlarges one buffer while bytes arrive, so that a large file is in memory twice only for a moment. */
async function readBody(body: Readable, url: URL, { maxBytes, deadline }: DownloadLimits): Promise<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  let size = 0
  deadline.heard()
  for await (const chunk of body) {
    deadline.heard()
    const needed = size + chunk.length
    if (needed > maxBytes) throw tooLarge(url, `more than ${maxBytes} bytes`, maxBytes)
    if (needed > held.length) held = grown(held, size, Math.min(maxBytes, Math.max(needed, held.length * 2)))
    chunk.copy(held, size)
    size = needed
  }
  return held.subarray(0, size)
}

function grown(held: Buffer, size: number, length: number): Buffer {
  const larger = Buffer.allocUnsafe(length)
  held.copy(larger, 0, 0, size)
  return larger
}

/** A limit of time for work that waits for another program, combined with an outer signal. */
interface Deadline {
  /** Aborts with a TimeoutError when the time is over or nothing was heard for too long, and with the outer signal's reason when that aborts. */
  signal: AbortSignal
  /** Something came from the other program. */
  heard(): void
  /** Stops the timer. Call it when the work is finished. */
  end(): void
}

const longestStepMs = 100

/**
 * Starts a deadline for the whole work, and from one sign of the other program to the next. It counts the steps of its own timer: while this process has no processor the steps come late, and that time
 * is not counted, because what the other program has sent could not be read. The timer also keeps the signal alive: one of
 * `AbortSignal.timeout` may be garbage-collected before it fires.
 */
function startDeadline(
  { wholeMs, silentMs }: { wholeMs: number; silentMs: number },
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const stepMs = Math.min(longestStepMs, silentMs / 10, wholeMs / 10)
  let leftMs = wholeMs
  let silenceLeftMs = silentMs
  const timer = setInterval(() => {
    leftMs -= stepMs
    silenceLeftMs -= stepMs
    const what = leftMs <= 0 ? `not done within ${wholeMs} ms` : `nothing heard for ${silentMs} ms`
    if (leftMs <= 0 || silenceLeftMs <= 0) controller.abort(new DOMException(what, 'TimeoutError'))
  }, stepMs)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    heard() {
      silenceLeftMs = silentMs
    },
    end() {
      clearInterval(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

/** Aborts when the first of several signals does. The owner must keep it, and release it with `end`. */
export function eitherOf(signals: readonly (AbortSignal | undefined)[]): Omit<Deadline, 'heard'> {
  const controller = new AbortController()
  const given = signals.filter(signal => signal !== undefined)
  // Each input of each request adds a listener, so a high number is not a leak.
  setMaxListeners(0, ...given)
  const stop = () => controller.abort(given.find(signal => signal.aborted)?.reason)
  for (const signal of given) signal.addEventListener('abort', stop, { once: true })
  if (given.some(signal => signal.aborted)) stop()
  return {
    signal: controller.signal,
    end() {
      for (const signal of given) signal.removeEventListener('abort', stop)
    },
  }
}
