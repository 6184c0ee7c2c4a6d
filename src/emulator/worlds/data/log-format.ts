import { crc32 } from 'node:zlib'
import { jsonIn } from '../json-depth.ts'
import { isRecord } from '../record-values.ts'
import { type Collection, type Data, emptyWorldData, firstFileVersion, isCollection } from './world-data.ts'

const FORMAT = 'generation-gateway-emulator'

/** The beginning of every data file. Its first line tells the version of its records, and of the program that began it. */
const START = `{"format":"${FORMAT}","version":`
const PROGRAM = ',"program":"'

/** What the first line of a data file tells. */
export type Header = { version: number; program: string }

/** The first line of a data file. */
export function headerLine({ version, program }: Header): string {
  return `${JSON.stringify({ format: FORMAT, version, program })}\n`
}

/** One change: one line of a log or a snapshot. */
export type LogChange =
  | { world: string; dropped: true }
  | { world: string; collection: Collection; id: string; deleted: true }
  | { world: string; collection: Collection; id: string; value: unknown }

/** A line that was read: `more` means that the next line belongs to the same group; only complete groups count. */
export type Line = { entry: LogChange; more: boolean }

/** One line. Every line of a group except the last has `more`, so that the group counts completely or not at all. */
export function lineOf(entry: LogChange, more: boolean): string {
  return checksummedLine(more ? { more, ...entry } : entry)
}

/** What is wrong with a line, in words; undefined when its checksum is right. */
export function checksumFault(line: Buffer): string | undefined {
  return isIntact(line) ? undefined : 'whose checksum is wrong'
}

/** The change in a line, or undefined when the line is not a record. */
export function parseLine(text: string): Line | undefined {
  const line = parseObject(text)
  const entry = line && entryOf(line)
  return entry && { entry, more: line.more === true }
}

function entryOf({
  world,
  collection,
  id,
  value,
  deleted,
  dropped,
}: Record<string, unknown>): LogChange | undefined {
  if (typeof world !== 'string') return undefined
  if (dropped === true) return { world, dropped }
  if (!isCollection(collection) || typeof id !== 'string') return undefined
  if (deleted === true) return { world, collection, id, deleted }
  return value === undefined ? undefined : { world, collection, id, value }
}

/** The number of records in a snapshot's last line, or undefined for any other line. */
export function parseFooter(text: string): number | undefined {
  const records = parseObject(text)?.records
  return typeof records === 'number' ? records : undefined
}

/** The last line of a snapshot; a snapshot without it was cut short. */
export function footerOf(records: number): string {
  return checksummedLine({ records })
}

/** Reads a data file's first line, without its newline; or returns what is wrong with it and, for another version, what to do. `newest`: the version of this program. */
export function readHeader(text: string, newest: number): Header | { fault: string; advice?: string } {
  const { format, version, program } = parseObject(text) ?? {}
  const isHeader = format === FORMAT && typeof version === 'number' && text.startsWith(START)
  if (!isHeader || (typeof program !== 'string' && version >= firstFileVersion && version <= newest))
    return {
      fault: 'is not a data file of this emulator: its line 1 is not the header that such files begin with',
    }
  if (typeof program === 'string' && version >= firstFileVersion && version <= newest)
    return { version, program }
  const versions =
    newest === firstFileVersion ? `version ${newest}` : `versions ${firstFileVersion} to ${newest}`
  const isOld = version < firstFileVersion
  const writer = isOld
    ? 'which only builds before the first release wrote'
    : `written by ${typeof program === 'string' ? `version ${program}` : 'another version'} of the emulator`
  const advice = isOld
    ? 'move the directory away, or start with another one'
    : 'start that version or a newer one, or start with another directory'
  return { fault: `holds data of version ${version}, ${writer}; this emulator reads ${versions}`, advice }
}

/** The first line of a file is no longer than this, in bytes. */
export const longestHeader = 256

/** Whether a text without a newline is the beginning of an unfinished header, of whichever version. */
export function isHalfHeader(text: string): boolean {
  if (START.startsWith(text)) return true
  const rest = text.startsWith(START) ? text.slice(START.length).replace(/^\d+/, '') : undefined
  if (rest === undefined) return false
  return (
    PROGRAM.startsWith(rest) ||
    (rest.startsWith(PROGRAM) && /^[^"]*("\}?)?$/.test(rest.slice(PROGRAM.length)))
  )
}

/** Makes one change. A set of a known id keeps its place in the order, as `Map.set` does. */
export function applyEntry(data: Data, entry: LogChange): void {
  if ('dropped' in entry) data.worlds.delete(entry.world)
  else if ('deleted' in entry) data.worlds.get(entry.world)?.[entry.collection].delete(entry.id)
  else worldOf(data, entry.world)[entry.collection].set(entry.id, entry.value)
}

function worldOf(data: Data, id: string) {
  const known = data.worlds.get(id)
  if (known) return known
  const fresh = emptyWorldData()
  data.worlds.set(id, fresh)
  return fresh
}

// JSON.parse makes `__proto__` an ordinary property, so that no prototype is changed.
function parseObject(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text)
  return isRecord(value) ? value : undefined
}

// `,"crc":"1a2b3c4d"}`
const SEAL = /^,"crc":"([0-9a-f]{8})"\}$/
const SEAL_BYTES = 18

/** An object as one line of JSON. Its last property, `crc`, is the CRC-32 of all text before that property. */
export function checksummedLine(value: object): string {
  const text = JSON.stringify(value).slice(0, -1)
  return `${text},"crc":"${hex(crc32(text))}"}\n`
}

/** Whether the checksum of a line, without its newline, is right. */
function isIntact(line: Buffer): boolean {
  const end = line.length - SEAL_BYTES
  const seal = end > 0 ? SEAL.exec(line.toString('latin1', end)) : null
  return seal?.[1] === hex(crc32(line.subarray(0, Math.max(end, 0))))
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}
