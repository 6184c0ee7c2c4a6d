import type { Entry, Har, Header } from 'har-format'
import { packageVersion } from '../../emulator/ground.ts'
import type { MediaDescription } from './describe-media.ts'

/** A name and a value of a header, a query or a form. */
export type Pair = readonly [name: string, value: string]

/** The pairs of Node's flat list of names and values, `rawHeaders`. */
export function pairsOf(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return pairs
}

/** A body: text, the description of a file (its bytes are not kept), bytes that are no text and no known file, or nothing. */
export type Body =
  | { kind: 'none' }
  | { kind: 'text'; text: string; bytes: number }
  | { kind: 'file'; media: MediaDescription; bytes: number }
  | { kind: 'unread'; bytes: number }

/** Why an exchange has no complete reply of the gateway. */
export type Problem = 'upstream_unreachable' | 'upstream_broke_off' | 'client_left' | 'recorder_ended'

/** One request and its reply, with all secrets. Moments are epoch milliseconds of the wall clock. */
export interface RecordedExchange {
  startedAt: number
  durationMs: number
  /** Milliseconds until the head of the reply arrived. */
  waitMs: number
  operation: string
  family?: string | undefined
  method: string
  /** The address at the gateway, not at the recorder. */
  url: string
  requestHeaders: readonly Pair[]
  requestBody: Body
  status: number
  statusText: string
  responseHeaders: readonly Pair[]
  responseBody: Body
  problem?: Problem | undefined
  /** Virtual time of the reply at an emulator, epoch ms, where it is known exactly. */
  clockMs?: number | undefined
  /** How many entries of the recording were answered when the request began. */
  answeredBefore?: number | undefined
}

/** The emulator's facts about an entry, in its field `_gateway`. */
export interface GatewayFacts {
  operation: string
  family?: string
  /** How the request authenticates: with a well-formed key, without a key, or in another form. */
  authorization: 'bearer' | 'none' | 'other'
  /** The name of the key in this recording, `key-1`. Entries with the same name were made with the same key. */
  key?: string
  /** The description of the file in the reply. */
  media?: MediaDescription
  /** Virtual time, epoch ms. Offsets are computed from it, or from `startedDateTime` when it is absent. */
  clock_ms?: number
  /**
   * How many entries of the recording were answered when this request began. Later entries overlap with it. The
   * number is right also on a busy machine and after a clock was changed.
   */
  answered_before?: number
  problem?: Problem
}

/** An entry of a recording. */
export interface GatewayEntry extends Entry {
  _gateway?: GatewayFacts
}

/** A recording: HAR 1.2 with the emulator's facts in its entries. */
export interface Recording {
  log: Omit<Har['log'], 'entries'> & { entries: GatewayEntry[] }
  /** The file ended in the middle of an entry, which is left out. */
  isTorn?: true
}

/** A recording without entries. */
export function emptyRecording(): Recording {
  const creator = { name: 'generation-gateway-emulator', version: packageVersion() }
  return { log: { version: '1.2', creator, pages: [], entries: [] } }
}

/** The value of an entry's header by its lower-case name; undefined when it is absent. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value
}
