import { createReadStream } from 'node:fs'
import { DataDirectoryError } from './data-directory-error.ts'
import { type DataFile, listDataFiles } from './data-files.ts'
import { applyEntry, type Entry, HEADER, headerFault, parseFooter, parseLine } from './log-format.ts'
import type { Data } from './world-data.ts'

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

/** A log as it was found; what follows `goodBytes` was never acknowledged. */
export type FoundLog = { path: string; generation: number; goodBytes: number; isTorn: boolean }

/** What a directory held. Nothing in it has been changed yet. */
export type Loaded = { data: Data; generation: number; snapshotBytes: number; logs: FoundLog[] }

/** Reads the newest snapshot and the logs since; throws DataDirectoryError on anything it does not understand. */
export async function loadData(dir: string): Promise<Loaded> {
  const files = (await listDataFiles(dir)).filter(file => !file.isUnfinished)
  const snapshot = files.findLast(file => file.kind === 'snapshot')
  const generation = snapshot?.generation ?? 1
  const data: Data = { worlds: new Map() }
  const snapshotBytes = snapshot ? await readSnapshot(snapshot.path, data) : 0
  const logs = files.filter(file => file.kind === 'log' && file.generation >= generation)
  checkComplete(dir, logs, snapshot)
  return { data, generation, snapshotBytes, logs: await readLogs(logs, data) }
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

async function readLogs(files: DataFile[], data: Data): Promise<FoundLog[]> {
  const found: FoundLog[] = []
  for (const { path, generation } of files) {
    const log = await readLog(path, data)
    const torn = found.find(earlier => earlier.isTorn)
    // Only the end of what was written can be torn by a crash; records after it mean that something else happened.
    if (torn && log.entries > 0)
      throw damaged(torn.path, 'ends in the middle of a change, yet later changes exist')
    found.push({ path, generation, goodBytes: log.goodBytes, isTorn: log.isTorn })
  }
  return found
}

async function readLog(path: string, data: Data) {
  let goodBytes = 0
  let entries = 0
  let group: Entry[] = []
  const rest = await readLines(path, (text, number, end) => {
    if (number === 1) checkHeader(path, text)
    else {
      const line = parseLine(text)
      if (!line) throw damaged(path, `has a line ${number} that is no record: ${excerpt(text)}`)
      group.push(line.entry)
      if (line.more) return
      for (const entry of group) applyEntry(data, entry)
      entries += group.length
      group = []
    }
    goodBytes = end
  })
  if (goodBytes === 0 && !HEADER.startsWith(rest))
    throw damaged(path, headerFault(rest) ?? 'has no first line')
  return { goodBytes, entries, isTorn: rest !== '' || group.length > 0 }
}

async function readSnapshot(path: string, data: Data): Promise<number> {
  let records = 0
  let promised: number | undefined
  let bytes = 0
  const rest = await readLines(path, (text, number, end) => {
    bytes = end
    if (number === 1) return checkHeader(path, text)
    const line = promised === undefined ? parseLine(text) : undefined
    promised = line ? undefined : parseFooter(text)
    if (!line && promised === undefined)
      throw damaged(path, `has a line ${number} that is no record: ${excerpt(text)}`)
    if (line) records += 1
    if (line) applyEntry(data, line.entry)
  })
  // A snapshot gets its name only when it is whole, so a crash cannot have torn it.
  if (rest !== '' || promised !== records) throw damaged(path, `is cut short after ${records} records`)
  return bytes
}

function checkHeader(path: string, text: string): void {
  const fault = headerFault(text)
  if (fault) throw damaged(path, fault)
}

function damaged(path: string, fault: string): DataDirectoryError {
  return new DataDirectoryError(
    `The data file "${path}" ${fault}. Nothing was changed; repair or move the file, or start with another directory.`,
  )
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Calls back for every whole line with its number and the offset behind it; returns what follows the last newline. */
async function readLines(
  path: string,
  onLine: (text: string, number: number, end: number) => void,
): Promise<string> {
  let number = 0
  let offset = 0
  let rest: Buffer[] = []
  for await (const part of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const chunk: Buffer = part
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const tail = chunk.subarray(from, to)
      number += 1
      onLine((rest.length > 0 ? Buffer.concat([...rest, tail]) : tail).toString(), number, offset + to + 1)
      rest = []
      from = to + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    offset += chunk.length
  }
  return Buffer.concat(rest).toString()
}
