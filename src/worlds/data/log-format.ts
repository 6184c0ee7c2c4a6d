import { type Collection, type Data, emptyWorldData, isCollection } from './world-data.ts'

const FORMAT = 'generation-gateway-emulator'
const VERSION = 1

/** The first line of every data file. */
export const HEADER = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`

/** One change, as one line of a log or a snapshot says it. */
export type Entry =
  | { world: string; dropped: true }
  | { world: string; collection: Collection; id: string; deleted: true }
  | { world: string; collection: Collection; id: string; value: unknown }

/** A line read back: `more` means that the next line belongs to the same group, and only whole groups count. */
export type Line = { entry: Entry; more: boolean }

/** One line; `more` on every line of a group but the last makes the group all or nothing. */
export function lineOf(entry: Entry, more: boolean): string {
  return `${JSON.stringify(more ? { more, ...entry } : entry)}\n`
}

/** The change a line says, or undefined when it is no line of ours. */
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
}: Record<string, unknown>): Entry | undefined {
  if (typeof world !== 'string') return undefined
  if (dropped === true) return { world, dropped }
  if (!isCollection(collection) || typeof id !== 'string') return undefined
  if (deleted === true) return { world, collection, id, deleted }
  return value === undefined ? undefined : { world, collection, id, value }
}

/** The number of records a snapshot's last line promises, or undefined when it is no such line. */
export function parseFooter(text: string): number | undefined {
  const records = parseObject(text)?.records
  return typeof records === 'number' ? records : undefined
}

/** The last line of a snapshot: a snapshot cut short is noticed. */
export function footerOf(records: number): string {
  return `${JSON.stringify({ records })}\n`
}

/** What is wrong with a data file's first line, in words; undefined when nothing is. */
export function headerFault(text: string): string | undefined {
  const header = parseObject(text)
  if (header?.format !== FORMAT) return 'is not a data file of this emulator'
  if (header.version === VERSION) return undefined
  return `holds data of version ${JSON.stringify(header.version)}, and this emulator reads version ${VERSION}`
}

/** Makes one change. A set of a known id keeps its place in the order, as `Map.set` does. */
export function applyEntry(data: Data, entry: Entry): void {
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

// JSON.parse makes `__proto__` an ordinary property of its own, so that no prototype is ever touched.
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // The caller names the file and the line.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
