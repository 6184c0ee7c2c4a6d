import type { Entry, Har, Header } from 'har-format'
import { packageVersion } from '../package/files.ts'
import type { MediaDescription } from './describe-media.ts'

/** A name and a value of a header, a query or a form. */
export type Pair = readonly [name: string, value: string]

/** The pairs of Node's flat list of names and values, `rawHeaders`. */
export function pairsOf(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return pairs
}

/** A body as it passed: text that is kept, a file of which only a description is kept, or nothing. */
export type Body =
  | { kind: 'none' }
  | { kind: 'text'; text: string; bytes: number }
  | { kind: 'file'; media: MediaDescription; bytes: number }

/** Why an exchange has no reply of the gateway's own. */
export type Problem = 'upstream_unreachable' | 'upstream_broke_off' | 'client_left'

/** One exchange as it passed, with all its secrets. Moments are epoch milliseconds of the wall clock. */
export interface Exchange {
  startedAt: number
  durationMs: number
  /** Milliseconds until the head of the reply came. */
  waitMs: number
  operation: string
  family?: string | undefined
  method: string
  /** The address at the gateway, never at a proxy before it. */
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

/** Our own facts about an entry, in its field `_gateway`. */
export interface GatewayFacts {
  operation: string
  family?: string
  /** How the request said who it is: with a well-formed key, without any, or in another way. */
  authorization: 'bearer' | 'none' | 'other'
  /** The key as this recording names it, `key-1`; two entries with one name were made with one key. */
  key?: string
  /** What the file in the reply was. */
  media?: MediaDescription
  /** Offsets from the first entry follow from this where it is there, else from `startedDateTime`. */
  clock_ms?: number
  /**
   * How many entries of the recording were answered when this request began. Entries after those overlap with it. It holds on
   * machines that are busy and after clocks were set.
   */
  answered_before?: number
  problem?: Problem
}

/** An entry of a recording. */
export interface GatewayEntry extends Entry {
  _gateway?: GatewayFacts
}

/** A recording: HAR 1.2 whose entries carry our facts. */
export interface Recording {
  log: Omit<Har['log'], 'entries'> & { entries: GatewayEntry[] }
  /** The file ended in the middle of an entry, which is left out. */
  isTorn?: true
}

/** The head of every recording, without its entries. */
export function emptyRecording(): Recording {
  const creator = { name: 'generation-gateway-emulator', version: packageVersion() }
  return { log: { version: '1.2', creator, pages: [], entries: [] } }
}

/** The value of a header of an entry, by its name in any spelling; undefined when it is absent. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value
}
