import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OneCall } from './journal.ts'
import type { World } from './world.ts'

/** The requests of a world that have no complete reply yet. Programs whose time is virtual wait for them. */
export interface UnderWay {
  /** Replies that a scenario's latency holds back in wall time. */
  delayed: number
  /** Replies that come only when the world's clock moves, or never. */
  held: number
  /** Those whose reply is not complete, in any order. */
  requests: OpenRequest[]
  /** How many calls of each operation have come. */
  calls: Map<string, number>
  /** The world's generation in which they came. */
  generation: number
  /** Called when a reply is complete, its connection is closed, requests are released, or the world's generation has changed. */
  ended: Set<() => void>
  /** Replies that nothing stops for good any more. */
  released: WeakSet<ServerResponse>
  /** How long the clock went as fast as wall time for programs that did not follow it, wall ms, and which. Absent: it never did. */
  wallPace?: { ms: number; programs: Set<string> }
  /** The libraries whose waits nobody sees, by what was said of each. Absent: none. */
  unseenLibraries?: Map<string, UnseenLibrary>
  /** Present while processes in virtual time follow the world's clock: what a scenario holds back waits by it. */
  pace?: Pace
}

/** A library in which processes in virtual time would wait where nobody sees them. */
export interface UnseenLibrary {
  /** Its name; `native code` where it is not known. */
  name: string
  /** Whether a process uses something of its language in its place, and so follows the clock; else it does not follow the clock. */
  is_replaced: boolean
  /** The service of a system that uses it. Absent: a program that is not of a system. */
  service?: string
}

/** A clock that replies wait by, ms. */
export interface Pace {
  now(): number
  /** Rejects when `gone` aborts. */
  until(at: number, gone: AbortSignal): Promise<void>
}

/** A request without a complete reply: its exchange in the pipeline. */
export interface OpenRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly operation: string
  readonly generation: number | undefined
  /** Which call of its operation it is, as rules count them; undefined when they have not counted it. */
  readonly nth: number | undefined
  readonly requestId: string
  readonly account: string | undefined
  /** Virtual moment at which it came, epoch ms. */
  readonly cameAt: number
  /** The same on this process's monotonic clock, ms. */
  readonly startedMs: number
  readonly trace: { taskIds?: readonly string[] }
  /** What the connection had sent when the reply's file began, bytes; undefined for replies that are no files. */
  readonly fileFrom: number | undefined
  /** Its journal entry: the reply was handed over to be sent. */
  readonly entry: object | undefined
  /** Where it stands among the open requests; -1 when it is not there, or no more. */
  place: number
}

/** By world; they live as long as it does. */
const known = new WeakMap<World, UnderWay>()

/** The counts of a world, to read and to change. They are not part of its state. */
export function underWayIn(world: World): UnderWay {
  const counts = known.get(world)
  if (counts) return counts
  const none = { ...nothingUnderWay(), generation: world.generation }
  known.set(world, none)
  return none
}

/** Counts of a world without requests. */
export function nothingUnderWay(): UnderWay {
  const collections = {
    requests: [],
    calls: new Map<string, number>(),
    ended: new Set<() => void>(),
    released: new WeakSet<ServerResponse>(),
  }
  return { delayed: 0, held: 0, generation: 0, ...collections }
}

/**
 * Counts a request as open. They stand in a list, from which the last takes the place of one that leaves: a set of requests that come and
 * go makes new tables all the time, and these carry requests into the old memory, four times as much of each create of clients that send ahead.
 */
export function enter(counts: UnderWay, request: OpenRequest): void {
  request.place = counts.requests.push(request) - 1
}

/** Counts it no more. False when it was not there. */
export function leave(counts: UnderWay, request: OpenRequest): boolean {
  const { requests } = counts
  const { place } = request
  if (place < 0) return false
  const last = requests.pop() as OpenRequest
  if (last !== request) {
    requests[place] = last
    last.place = place
  }
  request.place = -1
  return true
}

/** A world is reset, restored, replaced or dropped: its calls are counted anew, and no reply waits for one that came before. */
export function startGeneration(world: World): void {
  world.generation++
  const counts = underWayIn(world)
  counts.generation = world.generation
  counts.calls.clear()
  delete counts.wallPace
  delete counts.unseenLibraries
  for (const hear of counts.ended) hear()
}

/** Lets all open requests of a world go on that a scenario stops for good, or would: `hang` and `stall_after`. */
export function release(world: World): void {
  const { requests, released, ended } = underWayIn(world)
  for (const { response } of requests) released.add(response)
  for (const hear of ended) hear()
}

/** Counts a call of an operation, and returns its number, from 1: since the world was opened, reset or restored, in this run. */
export function countCall(world: World, operation: string): number {
  const { calls } = underWayIn(world)
  const nth = (calls.get(operation) ?? 0) + 1
  calls.set(operation, nth)
  return nth
}

/** Whether a call has come and its reply is complete, or its connection closed. */
export function isAnswered({ calls, requests, generation }: UnderWay, { operation, call }: OneCall): boolean {
  const isOpen = (one: OpenRequest) =>
    one.operation === operation && one.nth === call && one.generation === generation
  return (calls.get(operation) ?? 0) >= call && !requests.some(isOpen)
}

/** How many bytes of a request's file went to its connection so far; undefined for replies that are no files. */
export function fileBytesSent({ request, response, fileFrom }: OpenRequest): number | undefined {
  if (fileFrom === undefined) return undefined
  const { _header: head } = response as ServerResponse & { _header?: string | null }
  return Math.max(0, request.socket.bytesWritten - fileFrom - (head?.length ?? 0))
}
