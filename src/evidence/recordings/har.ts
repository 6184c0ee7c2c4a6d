import { type FileHandle, open, readFile } from 'node:fs/promises'
import type { Entry, Har, Header } from 'har-format'
import { packageVersion } from '../../emulator/ground.ts'
import { deepestJson, isNestedDeeper, jsonIn, shown } from '../../emulator/words.ts'
import { at } from '../spec/json.ts'
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
type Problem = 'upstream_unreachable' | 'upstream_broke_off' | 'client_left' | 'recorder_ended'

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

export interface GatewayEntry extends Entry {
  _gateway?: GatewayFacts
}

/** A recording: HAR 1.2 with the emulator's facts in its entries. */
export interface Recording {
  log: Omit<Har['log'], 'entries'> & { entries: GatewayEntry[] }
  /** The file ended in the middle of an entry, which is left out. */
  isTorn?: true
}

export function emptyRecording(): Recording {
  const creator = { name: 'generation-gateway-emulator', version: packageVersion() }
  return { log: { version: '1.2', creator, pages: [], entries: [] } }
}

/** The value of an entry's header by its lower-case name; undefined when it is absent. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value
}

/** A recording that is being written. The file is valid HAR after every entry. */
export interface HarFile {
  add(entry: GatewayEntry): Promise<void>
  readonly entries: number
  close(): Promise<void>
}

const tail = '\n]}}\n'

/**
 * Opens a new file for a recording. One write replaces the closing brackets by an entry and new brackets. When the process is
 * killed, the file is therefore complete, or its last line is cut. Rejects when the file is not empty.
 */
export async function openHarFile(path: string): Promise<HarFile> {
  const file = await open(path, 'a+')
  const { size } = await file.stat()
  await file.close()
  if (size > 0) throw new Error(`${path} holds ${size} bytes already; give the name of a new file`)
  return write(await open(path, 'r+'))
}

async function write(file: FileHandle): Promise<HarFile> {
  const head = headText()
  let end = Buffer.byteLength(head)
  let entries = 0
  let last: Promise<unknown> = file.write(`${head}${tail}`, 0)
  await last
  const append = async (entry: GatewayEntry) => {
    const text = `\n${entries > 0 ? ',' : ''}${JSON.stringify(entry)}`
    entries++
    await file.write(text + tail, end)
    end += Buffer.byteLength(text)
  }
  return {
    add(entry) {
      const added = last.then(() => append(entry))
      last = added.catch(() => undefined)
      return added
    },
    get entries() {
      return entries
    },
    async close() {
      await last
      await file.close()
    },
  }
}

/** Everything before the first entry; each entry has a line of its own. */
function headText(): string {
  return JSON.stringify(emptyRecording()).replace(/\]\}\}$/, '')
}

/** A recording as text, in the form in which a file holds it. */
export function recordingText(entries: readonly GatewayEntry[]): string {
  const lines = entries.map((entry, index) => `\n${index > 0 ? ',' : ''}${JSON.stringify(entry)}`)
  return `${headText()}${lines.join('')}${tail}`
}

/** Browsers nest some fields of their own, and functions that walk a value use a few frames of the stack for each level. */
const deepest = 512

/** Reads a HAR file. Rejects with a message that names the file when it cannot be read or is not a HAR. */
export async function readHarFile(path: string): Promise<Recording> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new HarError(`Cannot read ${path}: ${reasonOf(error)}`)
  }
  if (text.trim() === '') throw new HarError(`${path} is not a HAR file: it is empty`)
  const recording = parse(text) ?? repaired(text)
  if (!recording) throw new HarError(`${path} is not a HAR file: it is not JSON with log.entries`)
  if (isNestedDeeper(text, deepest)) throw new HarError(`${path} is nested deeper than ${deepest} levels`)
  for (const [index, entry] of recording.log.entries.entries()) {
    const fault = entryFault(entry)
    if (fault !== undefined) throw new HarError(`${path} is not a HAR file: log.entries[${index}]${fault}`)
  }
  return recording
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  return message
}

export class HarError extends Error {}

function parse(text: string): Recording | undefined {
  const value = jsonIn(text.replace(/^\uFEFF/, ''))
  return Array.isArray(at(value, 'log', 'entries')) ? (value as Recording) : undefined
}

/** When a recorder was killed during a write, the last line is cut. The lines before it are complete entries. */
function repaired(text: string): Recording | undefined {
  const [head = '', ...lines] = text.split('\n')
  if (!head.startsWith('{"log":{"version":"1.2","creator":{"name":"generation-gateway-emulator"'))
    return undefined
  const entries = lines.map(line => jsonIn(line.replace(/^,|,$/g, '')) as GatewayEntry)
  const recording = emptyRecording()
  return {
    log: { ...recording.log, entries: entries.filter(entry => entryFault(entry) === undefined) },
    isTorn: true,
  }
}

/**
 * What is wrong with an entry of a HAR file, to be read after its place: ` is not a request with its response`, or
 * `._gateway: key "sk-1" is not of the form key-N`. Undefined when it can be read.
 */
function entryFault(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !isExchange(entry))
    return ' is not a request with its response'
  const { _gateway: facts } = entry as Partial<GatewayEntry>
  const fault = facts === undefined ? undefined : factsFault(facts)
  return fault && `._gateway: ${fault}`
}

function isExchange({ request, response }: Partial<GatewayEntry>): boolean {
  return (
    typeof request?.method === 'string' &&
    typeof request.url === 'string' &&
    isHeaders(request.headers) &&
    typeof response?.status === 'number' &&
    isHeaders(response.headers) &&
    typeof response.content === 'object' &&
    response.content !== null
  )
}

function factsFault(facts: unknown): string | undefined {
  if (typeof facts !== 'object' || facts === null) return `${shown(facts)} is not an object`
  const { operation, key, clock_ms, answered_before } = facts as Record<keyof GatewayFacts, unknown>
  if (typeof operation !== 'string') return `operation ${shown(operation)} is not a string`
  if (key !== undefined && !(typeof key === 'string' && /^key-\d+$/.test(key)))
    return `key ${shown(key)} is not of the form key-N`
  for (const [name, value] of Object.entries({ clock_ms, answered_before }))
    if (value !== undefined && !Number.isFinite(value)) return `${name} ${shown(value)} is not a number`
  return undefined
}

function isHeaders(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(header => typeof header?.name === 'string' && typeof header.value === 'string')
  )
}

/** The text of a body, read as JSON. `too_deep` is nested so deeply that functions that walk it would exhaust the stack. */
export type ReadJson =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'broken' }
  | { kind: 'too_deep' }

/** The gateway's own replies have fewer than ten levels, and the emulator refuses requests of more than `deepestJson`. */
const deepestBody = 2 * deepestJson
const tooDeepNote = `[JSON nested deeper than ${deepestBody} levels`

/** Reads the text of a body. Never throws: text that is not JSON is `broken`. */
export function readJson(text: unknown): ReadJson {
  if (typeof text !== 'string' || text === '') return { kind: 'none' }
  if (text.startsWith(tooDeepNote) || isNestedDeeper(text, deepestBody)) return { kind: 'too_deep' }
  const value = jsonIn(text)
  return value === undefined ? { kind: 'broken' } : { kind: 'json', value }
}

/** The text that a recording keeps of a body that is `too_deep`. */
export function tooDeepText(bytes: number): string {
  return `${tooDeepNote}: ${bytes} bytes]`
}
