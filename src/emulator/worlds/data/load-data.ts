import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirectoryError, removeFile } from './file-system.ts'
import { type LineSpan, readLines, readStart } from './log-file.ts'
import {
  applyEntry,
  checksumFault,
  type Header,
  isHalfHeader,
  type Line,
  type LogChange,
  longestHeader,
  parseFooter,
  parseLine,
  readHeader,
} from './log-format.ts'
import { newestHeader, type RecordRules, readRecord } from './record-rules.ts'
import type { Data } from './world-data.ts'

/** A log as found on disk. The bytes after `goodBytes` were never acknowledged. */
export type FoundLog = { path: string; generation: number; goodBytes: number; tornBytes: number }

/** The content of a directory; nothing in it has been changed yet. `isOld`: at least one file is of an earlier version. */
export type Loaded = {
  data: Data
  generation: number
  snapshotBytes: number
  logs: FoundLog[]
  hasSnapshot: boolean
  isOld: boolean
}

/** The state while the files of a directory are read. */
type Reading = { data: Data; rules: RecordRules; newest: number }

/**
 * Reads the newest snapshot and the logs since, and brings every record to the newest version. Throws DataDirectoryError, with file
 * and line, on anything that it does not understand and on every record that does not fit.
 */
export async function loadData(dir: string, rules: RecordRules): Promise<Loaded> {
  const files = (await listDataFiles(dir)).filter(file => !file.isUnfinished)
  const snapshot = files.findLast(file => file.kind === 'snapshot')
  const generation = snapshot?.generation ?? 1
  const starts = await Promise.all(files.map(({ path }) => readStart(path, longestHeader)))
  const { version: newest } = newestHeader(rules)
  const reading: Reading = { data: { worlds: new Map() }, rules, newest }
  const snapshotBytes = snapshot ? await readSnapshot(snapshot.path, reading) : 0
  const found = files.filter(file => file.kind === 'log' && file.generation >= generation)
  checkComplete(dir, found, snapshot)
  const logs = await readLogs(found, reading)
  const { data } = reading
  const fault = rules.faultOfAll(data)
  if (fault) throw new DataDirectoryError(`The data directory "${dir}" ${fault}`)
  const isOld = starts.some(start => isOlder(start, newest))
  return { data, generation, snapshotBytes, logs, hasSnapshot: snapshot !== undefined, isOld }
}

/** Whether a file with this beginning was written in an earlier version. */
function isOlder(start: string, newest: number): boolean {
  const header = readHeader(start.split('\n', 1)[0] ?? '', newest)
  return 'version' in header && header.version < newest
}

function checkComplete(dir: string, logs: DataFile[], snapshot: DataFile | undefined): void {
  const first = snapshot?.generation ?? 1
  const missing = logs.findIndex((log, index) => log.generation !== first + index)
  if (missing < 0 && (logs.length > 0 || !snapshot)) return
  const generation = first + Math.max(missing, 0)
  throw new DataDirectoryError(
    `The data directory "${dir}" lacks its log of generation ${generation}, so changes would be missing. Nothing was changed; put the file back, or start with another directory.`,
  )
}

async function readLogs(files: DataFile[], reading: Reading): Promise<FoundLog[]> {
  const found: FoundLog[] = []
  for (const { path, generation } of files) {
    const log = await readLog(path, reading)
    const torn = found.find(earlier => earlier.tornBytes > 0)
    // A crash can only damage the last write. Records after the damage mean that it has another cause.
    if (torn && log.entries > 0)
      throw damaged(
        torn.path,
        `ends in the middle of a change at byte ${torn.goodBytes}, yet later changes exist`,
      )
    found.push({ path, generation, goodBytes: log.goodBytes, tornBytes: log.tornBytes })
  }
  return found
}

async function readLog(path: string, reading: Reading) {
  let goodBytes = 0
  let entries = 0
  let header: Header | undefined
  let group: LogChange[] = []
  const { rest, bytes } = await readLines(path, (line, place) => {
    if (!header) header = headerIn(path, line, reading)
    else {
      const { entry, more } = recordIn(path, line, { place, header, reading })
      group.push(entry)
      if (more) return
      for (const one of group) applyEntry(reading.data, one)
      entries += group.length
      group = []
    }
    goodBytes = place.end
  })
  checkRest(path, rest, { goodBytes, bytes, newest: reading.newest })
  return { goodBytes, entries, tornBytes: bytes - goodBytes }
}

/** A crash leaves only a part of a line. A complete line with another byte instead of its newline was damaged later. */
function checkRest(
  path: string,
  rest: Buffer,
  { goodBytes, bytes, newest }: { goodBytes: number; bytes: number; newest: number },
): void {
  const text = rest.toString()
  if (goodBytes === 0 && !isHalfHeader(text)) {
    const header = readHeader(text, newest)
    if ('fault' in header) throw damaged(path, header.fault, header.advice)
    throw damaged(path, 'has no newline after its line 1')
  }
  if (rest.length < 2 || checksumFault(rest.subarray(0, -1)) !== undefined) return
  throw damaged(path, `has no newline at byte ${bytes - 1}, after a complete line`)
}

async function readSnapshot(path: string, reading: Reading): Promise<number> {
  let records = 0
  let promised: number | undefined
  let header: Header | undefined
  const { rest, bytes } = await readLines(path, (line, place) => {
    if (!header) {
      header = headerIn(path, line, reading)
      return
    }
    if (promised !== undefined) throw damaged(path, `continues after its last line, ${placeText(place)}`)
    promised = checksumFault(line) ? undefined : parseFooter(line.toString())
    if (promised !== undefined) return
    const { entry } = recordIn(path, line, { place, header, reading })
    records += 1
    applyEntry(reading.data, entry)
  })
  // A snapshot gets its name only when it is complete, so a crash cannot have cut it.
  if (rest.length > 0 || promised !== records) throw damaged(path, `is cut short after ${records} records`)
  return bytes
}

function headerIn(path: string, line: Buffer, { newest }: Reading): Header {
  const header = readHeader(line.toString(), newest)
  if ('fault' in header) throw damaged(path, header.fault, header.advice)
  return header
}

function recordIn(
  path: string,
  bytes: Buffer,
  { place, header, reading }: { place: LineSpan; header: Header; reading: Reading },
): Line {
  const text = bytes.toString()
  const fault = checksumFault(bytes)
  if (fault) throw damaged(path, `has a ${placeText(place)} ${fault}: ${excerpt(text)}`)
  const line = parseLine(text)
  if (!line) throw damaged(path, `has a ${placeText(place)} that is not a record: ${excerpt(text)}`)
  const { entry, more } = line
  if (!('value' in entry)) return line
  const read = readRecord(entry, header.version, reading.rules)
  if (!('fault' in read)) return { entry: read, more }
  const record = `the ${entry.collection} record ${JSON.stringify(entry.id)} of the world "${entry.world}"`
  const writer = `version ${header.program} wrote it as data of version ${header.version}`
  throw damaged(
    path,
    `has a ${placeText(place)} with an invalid record, ${record}: ${read.fault} (${writer})`,
  )
}

function placeText({ line, start }: LineSpan): string {
  return `line ${line} (at byte ${start})`
}

function damaged(
  path: string,
  fault: string,
  advice = 'put back a good copy of the file, repair or move it, or start with another directory',
): DataDirectoryError {
  return new DataDirectoryError(`The data file "${path}" ${fault}. Nothing was changed; ${advice}.`)
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

const NAME = /^(log|snapshot)-(\d{6,})\.ndjson(\.tmp)?$/

/** A data file's kind and generation. Snapshot g holds the content of all logs before log g. */
type DataFile = { kind: 'log' | 'snapshot'; generation: number; isUnfinished: boolean; path: string }

export function dataFilePath(dir: string, kind: DataFile['kind'], generation: number): string {
  return join(dir, `${kind}-${String(generation).padStart(6, '0')}.ndjson`)
}

/** The data files of a directory, oldest first. Other files in it do not belong to the emulator. */
async function listDataFiles(dir: string): Promise<DataFile[]> {
  const files = (await readdir(dir)).flatMap(name => dataFileOf(dir, name) ?? [])
  return files.sort((a, b) => a.generation - b.generation)
}

function dataFileOf(dir: string, name: string): DataFile | undefined {
  const match = NAME.exec(name)
  if (!match) return undefined
  const kind = match[1] === 'log' ? 'log' : 'snapshot'
  return { kind, generation: Number(match[2]), isUnfinished: match[3] !== undefined, path: join(dir, name) }
}

/** Removes the files that a snapshot of this generation replaces, and unfinished snapshots. */
export async function removeOutdated(dir: string, generation: number): Promise<void> {
  for (const file of await listDataFiles(dir)) {
    if (file.isUnfinished || file.generation < generation) await removeFile(file.path)
  }
}

/** Writes a directory's file names to the disk, so that they survive a power cut. Windows cannot open directories and does not need this. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
