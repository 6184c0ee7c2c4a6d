import { DataDirectoryError } from './data-directory-error.ts'
import { type DataFile, listDataFiles } from './data-files.ts'
import { type LineSpan, readLines, readStart } from './line-reader.ts'
import {
  applyEntry,
  checksumFault,
  isHalfHeader,
  isOldHeader,
  type Line,
  type LogChange,
  longestHeader,
  parseFooter,
  parseLine,
  readHeader,
  type Version,
} from './log-format.ts'
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

/** Returns what is wrong with a record's value, in words. Called for records without a checksum. */
export type RecordCheck = (record: Extract<LogChange, { value: unknown }>) => string | undefined

/** The state while the files of a directory are read. */
type Reading = { data: Data; check: RecordCheck }

/**
 * Reads the newest snapshot and the logs since; throws DataDirectoryError, with file and line, on anything it does not
 * understand.
 */
export async function loadData(dir: string, prepareCheck: () => Promise<RecordCheck>): Promise<Loaded> {
  const files = (await listDataFiles(dir)).filter(file => !file.isUnfinished)
  const snapshot = files.findLast(file => file.kind === 'snapshot')
  const generation = snapshot?.generation ?? 1
  const isOld = (await Promise.all(files.map(({ path }) => isOldFile(path)))).includes(true)
  const check = isOld ? await prepareCheck() : () => undefined
  const reading: Reading = { data: { worlds: new Map() }, check }
  const snapshotBytes = snapshot ? await readSnapshot(snapshot.path, reading) : 0
  const found = files.filter(file => file.kind === 'log' && file.generation >= generation)
  checkComplete(dir, found, snapshot)
  const logs = await readLogs(found, reading)
  return { data: reading.data, generation, snapshotBytes, logs, hasSnapshot: snapshot !== undefined, isOld }
}

/** Whether a file was written by an earlier version. */
async function isOldFile(path: string): Promise<boolean> {
  return isOldHeader(await readStart(path, longestHeader))
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
  let version: Version = 2
  let group: LogChange[] = []
  const { rest, bytes } = await readLines(path, (line, place) => {
    if (place.line === 1) version = versionOf(path, line)
    else {
      const { entry, more } = recordIn(path, line, { place, version, reading })
      group.push(entry)
      if (more) return
      for (const one of group) applyEntry(reading.data, one)
      entries += group.length
      group = []
    }
    goodBytes = place.end
  })
  checkRest(path, rest, { version, goodBytes, bytes })
  return { goodBytes, entries, tornBytes: bytes - goodBytes }
}

/** A crash leaves only a part of a line. A complete line with another byte instead of its newline was damaged later. */
function checkRest(
  path: string,
  rest: Buffer,
  log: { version: Version; goodBytes: number; bytes: number },
): void {
  const text = rest.toString()
  if (log.goodBytes === 0 && !isHalfHeader(text)) throw damaged(path, faultOfHeader(text))
  if (log.version === 1 || rest.length < 2 || checksumFault(rest.subarray(0, -1), log.version) !== undefined)
    return
  throw damaged(path, `has no newline at byte ${log.bytes - 1}, after a complete line`)
}

async function readSnapshot(path: string, reading: Reading): Promise<number> {
  let records = 0
  let promised: number | undefined
  let version: Version = 2
  const { rest, bytes } = await readLines(path, (line, place) => {
    if (place.line === 1) {
      version = versionOf(path, line)
      return
    }
    if (promised !== undefined) throw damaged(path, `continues after its last line, ${placeText(place)}`)
    promised = checksumFault(line, version) ? undefined : parseFooter(line.toString())
    if (promised !== undefined) return
    const { entry } = recordIn(path, line, { place, version, reading })
    records += 1
    applyEntry(reading.data, entry)
  })
  // A snapshot gets its name only when it is complete, so a crash cannot have cut it.
  if (rest.length > 0 || promised !== records) throw damaged(path, `is cut short after ${records} records`)
  return bytes
}

function versionOf(path: string, line: Buffer): Version {
  const header = readHeader(line.toString())
  if ('fault' in header) throw damaged(path, header.fault)
  return header.version
}

function faultOfHeader(text: string): string {
  const header = readHeader(text)
  return 'fault' in header ? header.fault : 'has no newline after its line 1'
}

function recordIn(
  path: string,
  bytes: Buffer,
  { place, version, reading }: { place: LineSpan; version: Version; reading: Reading },
): Line {
  const text = bytes.toString()
  const fault = checksumFault(bytes, version)
  if (fault) throw damaged(path, `has a ${placeText(place)} ${fault}: ${excerpt(text)}`)
  const line = parseLine(text)
  if (!line) throw damaged(path, `has a ${placeText(place)} that is not a record: ${excerpt(text)}`)
  const misfit = version === 1 && 'value' in line.entry ? reading.check(line.entry) : undefined
  if (misfit) throw damaged(path, `has a ${placeText(place)} with an invalid record: ${misfit}`)
  return line
}

function placeText({ line, start }: LineSpan): string {
  return `line ${line} (at byte ${start})`
}

function damaged(path: string, fault: string): DataDirectoryError {
  return new DataDirectoryError(
    `The data file "${path}" ${fault}. Nothing was changed; put back a good copy of the file, repair or move it, or start with another directory.`,
  )
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
