import { type FileHandle, open, readFile } from 'node:fs/promises'
import { deepestJson, isNestedDeeper, shown } from '../../emulator/words.ts'
import { emptyRecording, type GatewayEntry, type GatewayFacts, type Recording } from './har.ts'

/** A recording that is being written. The file is valid HAR after every entry. */
export interface HarFile {
  /** Resolves when the entry is in the file. */
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

/** A file that is not a recording. */
export class HarError extends Error {}

function parse(text: string): Recording | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const { log } = value as { log?: { entries?: unknown } }
    return Array.isArray(log?.entries) ? (value as Recording) : undefined
  } catch {
    return undefined
  }
}

/** When a recorder was killed during a write, the last line is cut. The lines before it are complete entries. */
function repaired(text: string): Recording | undefined {
  const [head = '', ...lines] = text.split('\n')
  if (!head.startsWith('{"log":{"version":"1.2","creator":{"name":"generation-gateway-emulator"'))
    return undefined
  const entries = lines.flatMap(line => {
    try {
      return [JSON.parse(line.replace(/^,|,$/g, '')) as GatewayEntry]
    } catch {
      return []
    }
  })
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
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'broken' }
  }
}

/** The text that a recording keeps of a body that is `too_deep`. */
export function tooDeepText(bytes: number): string {
  return `${tooDeepNote}: ${bytes} bytes]`
}
