import type { ServerResponse } from 'node:http'
import { setTimeout as elapse } from 'node:timers/promises'
import { disconnectSignal } from '../http/transfer.ts'
import { realTime } from '../worlds/clock.ts'
import type { OneCall, ReplyOrder } from '../worlds/journal.ts'
import type { MediaFault } from '../worlds/task.ts'
import { isAnswered, nothingUnderWay, type Pace, type UnderWay } from '../worlds/under-way.ts'
import type { Delivery, Outgoing } from './delivery.ts'
import { actionsOf, type ConnectionFault } from './effects/connection.ts'
import { brokenDelivery } from './effects/media.ts'

/** The faults that a reply goes through. */
export interface DeliveryFaults {
  media?: MediaFault
  connection?: ConnectionFault
  /** Where replies that wait are counted. */
  underWay?: UnderWay
  /** The call that is answered; absent when rules did not count it. */
  own?: OneCall
  /** Hears what became of a reply that another call's must come before. */
  ordered?(order: ReplyOrder): void
  /** Hears that a reply which was stopped goes on: one that hung, or a file that stalled. */
  wentOn?(stopped: 'hang' | 'stall'): void
}

/** How long a client may read the sent bytes before the connection breaks, wall ms: a reset may discard unread bytes. */
const readSentBytesMs = 20
/** The longest that a reply waits for another call, ms: the client may need it to make that call. */
const longestOrderMs = 10_000
/** A slow reply is sent in about ten portions per second. */
const portionsPerSecond = 10
const chunkBytes = 64 * 1024

/**
 * Sends a reply, or a file as a buffer or stream, through faults of the media and of the connection. The Content-Length in the headers
 * stays the same, even when fewer bytes are sent. Resolves when the reply is sent or broken off, or
 * the client has disconnected; rejects when the source cannot be read. A hang lasts until the client disconnects, the server closes
 * its connections, or somebody releases it. Every timer ends with the connection.
 */
export async function sendFaulty(
  response: ServerResponse,
  reply: Outgoing,
  { media, connection = {}, ...faults }: DeliveryFaults,
): Promise<void> {
  const gone = disconnectSignal(response)
  try {
    await act(response, brokenDelivery(reply, media), { connection, gone, ...faults })
  } catch (error) {
    if (!gone.aborted) throw error
  } finally {
    if (!Buffer.isBuffer(reply.payload)) await closeSource(reply.payload)
  }
}

interface SendingContext extends Omit<DeliveryFaults, 'media'> {
  connection: ConnectionFault
  /** Aborts when the client or the server closes the connection. */
  gone: AbortSignal
}

async function act(
  response: ServerResponse,
  delivery: Delivery,
  { connection, gone, underWay = nothingUnderWay(), own, ordered, wentOn }: SendingContext,
): Promise<void> {
  const stop = async (kind: 'hang' | 'stall') => {
    await untilReleased(response, { underWay, gone })
    wentOn?.(kind)
  }
  const { after, waitMs, instead, change } = actionsOf(connection)
  if (after) {
    const order = await untilAnswered(after, { underWay, gone, ...(own && { own }) })
    ordered?.(order)
  }
  if (waitMs > 0) await latency(waitMs, { underWay, gone })
  if (instead === 'silence') await stop('hang')
  if (instead === 'reset') return breakConnection(response)
  const changed = change(delivery)
  response.writeHead(changed.status, changed.headers)
  response.flushHeaders()
  await pump(response, changed, { gone, pace: underWay.pace ?? wallPace, stall: () => stop('stall') })
  await finish(response, changed.ending, gone)
}

interface Hold {
  underWay: UnderWay
  gone: AbortSignal
}

/**
 * Holds a reply until another call was answered and its client had a moment to read, or until the world has a new generation: then that
 * call cannot come. Rejects when the own client is gone.
 */
async function untilAnswered(
  other: OneCall,
  { underWay, own, gone }: Hold & Pick<SendingContext, 'own'>,
): Promise<ReplyOrder> {
  if (own?.operation === other.operation && own.call === other.call) return 'itself'
  const { generation } = underWay
  const over = new AbortController()
  const look = () => {
    if (underWay.generation !== generation || isAnswered(underWay, other)) over.abort()
  }
  underWay.ended.add(look)
  try {
    look()
    await hold(longestOrderMs, { underWay, gone: AbortSignal.any([gone, over.signal]) })
    return 'not_answered'
  } catch (error) {
    if (gone.aborted || !over.signal.aborted) throw error
  } finally {
    underWay.ended.delete(look)
  }
  if (underWay.generation !== generation) return 'not_answered'
  // By a clock that moves only when everybody waits, the shortest time is long enough.
  await hold(underWay.pace ? 1 : readSentBytesMs, { underWay, gone })
  return 'after'
}

/** Sends a reply later than it could be. */
async function latency(ms: number, { underWay, gone }: Hold): Promise<void> {
  // The way takes a millisecond, and limits are rounded up to the next one: a reply as late as a limit of the program comes too late.
  await hold(underWay.pace ? ms + 2 : ms, { underWay, gone })
}

/** Waits by the clock of the processes that follow the world, else in wall time. Rejects when `gone` aborts. */
async function hold(ms: number, { underWay, gone }: Hold): Promise<void> {
  if (underWay.pace) return underWay.pace.until(underWay.pace.now() + ms, gone)
  underWay.delayed++
  try {
    await wallPace.until(wallPace.now() + ms, gone)
  } finally {
    underWay.delayed--
  }
}

const wallPace: Pace = {
  now: () => realTime.elapsedMs(),
  until: (at, gone) => elapse(Math.ceil(at - realTime.elapsedMs()), undefined, { signal: gone }),
}

/** Sends the payload with at most the given speed: after each portion it waits until that speed would have sent it. */
async function pump(
  response: ServerResponse,
  delivery: Delivery,
  { gone, pace, stall }: { gone: AbortSignal; pace: Pace; stall(): Promise<void> },
): Promise<void> {
  const startedMs = pace.now()
  let sentBytes = 0
  for await (const portion of portionsOf(delivery)) {
    if (sentBytes === delivery.stallsAt) await stall()
    await write(response, portion, gone)
    sentBytes += portion.length
    const dueMs = delivery.bytesPerSecond ? startedMs + (sentBytes / delivery.bytesPerSecond) * 1000 : 0
    if (dueMs > pace.now()) await pace.until(Math.ceil(dueMs), gone)
  }
}

async function finish(
  response: ServerResponse,
  ending: Delivery['ending'],
  gone: AbortSignal,
): Promise<void> {
  switch (ending) {
    case 'end':
      response.end()
      return
    case 'reset':
      await elapse(readSentBytesMs, undefined, { signal: gone })
      breakConnection(response)
      return
    case 'destroy':
      await elapse(readSentBytesMs, undefined, { signal: gone })
      response.destroy()
  }
}

/** Breaks the connection with a TCP reset. Over TLS the raw socket is not accessible, so the connection is only closed, without a TLS close message. */
function breakConnection(response: ServerResponse): void {
  const { socket } = response
  if (!socket || 'encrypted' in socket) response.destroy()
  else socket.resetAndDestroy()
}

/** A portion begins at the place where the reply stalls. */
async function* portionsOf({ payload, bytesPerSecond, stallsAt = 0 }: Delivery): AsyncGenerator<Buffer> {
  const longest = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / portionsPerSecond)) : chunkBytes
  let sent = 0
  for await (const chunk of Buffer.isBuffer(payload) ? [payload] : payload) {
    for (let at = 0, size = 0; at < chunk.length; at += size, sent += size) {
      const most = sent < stallsAt ? Math.min(longest, stallsAt - sent) : longest
      size = Math.min(most, chunk.length - at)
      yield chunk.subarray(at, at + size)
    }
  }
}

/** Waits until the system has taken the bytes, so that a fast source cannot fill the memory. */
function write(response: ServerResponse, portion: Buffer, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(gone.reason)
    if (gone.aborted) return stop()
    gone.addEventListener('abort', stop, { once: true })
    response.write(portion, error => {
      gone.removeEventListener('abort', stop)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Waits until what is stopped for good is released. Rejects when the client is gone. */
export async function untilReleased(response: ServerResponse, { underWay, gone }: Hold): Promise<void> {
  const { released, ended } = underWay
  gone.throwIfAborted()
  if (released.has(response)) return
  underWay.held++
  await new Promise<void>(resolve => {
    const look = () => {
      if (!gone.aborted && !released.has(response)) return
      ended.delete(look)
      resolve()
    }
    ended.add(look)
    gone.addEventListener('abort', look, { once: true })
  })
  underWay.held--
  gone.throwIfAborted()
}

/** Closes a source that may not have been read, such as an open file. */
async function closeSource(source: AsyncIterable<Buffer>): Promise<void> {
  if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
  else await source[Symbol.asyncIterator]().return?.()
}
