import { checksummedLine, isIntact } from './checksum.ts'
import { type Collection, type Data, emptyWorldData, isCollection } from './world-data.ts'

const FORMAT = 'generation-gateway-emulator'

/** Version 2 has a checksum in every line. Version 1 is only read. */
export type Version = 1 | 2
const VERSION: Version = 2

/** The first line of every data file. */
export const HEADER = headerOf(VERSION)
const OLD_HEADER = headerOf(1)

function headerOf(version: Version): string {
  return `${JSON.stringify({ format: FORMAT, version })}\n`
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

/** What is wrong with a line, in words; undefined when its checksum is right. Lines of version 1 have no checksum. */
export function checksumFault(line: Buffer, version: Version): string | undefined {
  return version === 1 || isIntact(line) ? undefined : 'whose checksum is wrong'
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

/** Reads a data file's first line, without its newline: returns the version, or what is wrong with it, in words. */
export function readHeader(text: string): { version: Version } | { fault: string } {
  if (`${text}\n` === HEADER) return { version: VERSION }
  if (`${text}\n` === OLD_HEADER) return { version: 1 }
  const header = parseObject(text)
  if (header?.format === FORMAT && Number.isInteger(header.version) && Number(header.version) > VERSION)
    return {
      fault: `holds data of version ${header.version}, and this emulator reads versions 1 and ${VERSION}`,
    }
  return {
    fault: 'is not a data file of this emulator: its line 1 is not the header that such files begin with',
  }
}

/** The size of the first line of a data file, with its newline, in bytes. */
export const longestHeader = HEADER.length

/** Whether a file with this beginning was written by an earlier version. */
export function isOldHeader(start: string): boolean {
  return start.startsWith(OLD_HEADER)
}

/** Whether a text without a newline is the beginning of an unfinished header. */
export function isHalfHeader(text: string): boolean {
  return HEADER.startsWith(text) || OLD_HEADER.startsWith(text)
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
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // The caller reports the file and the line.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
