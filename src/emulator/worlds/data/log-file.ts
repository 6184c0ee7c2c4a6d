import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { footerOf, type LogChange, lineOf } from './log-format.ts'
import { COLLECTIONS, type Collection, type Data } from './world-data.ts'

// Half a megabyte of text takes one to two milliseconds to build; the event loop runs between two slices.
const SLICE_CHARS = 512 * 1024

/** An append-only file of lines; its first `bytes` bytes are good. */
export class LogFile {
  readonly path: string
  readonly #handle: FileHandle
  readonly #fsync: boolean
  #bytes: number
  #isTorn = false

  private constructor(path: string, handle: FileHandle, options: { fsync: boolean; bytes: number }) {
    this.path = path
    this.#handle = handle
    this.#fsync = options.fsync
    this.#bytes = options.bytes
  }

  /** Opens a log whose first `bytes` bytes are good (0 makes a new one); the rest is cut off. */
  static async open(
    path: string,
    options: { fsync: boolean; bytes: number; header: string },
  ): Promise<LogFile> {
    const handle = await open(path, options.bytes === 0 ? 'w' : 'r+')
    const log = new LogFile(path, handle, options)
    try {
      await handle.truncate(options.bytes)
      if (options.bytes === 0) await log.#write([options.header])
      return log
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Appends one group, all or nothing; with fsync it is on the disk when this resolves. */
  async append(entries: Iterable<LogChange>): Promise<void> {
    if (this.#isTorn) await this.#cut()
    try {
      await this.#write(slicesOf(linesOf(entries)))
    } catch (error) {
      // Half a group may be at the end: remove it now or, if that fails too, before the next append.
      this.#isTorn = true
      await this.#cut().catch(() => undefined)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #write(texts: Iterable<string>): Promise<void> {
    let at = this.#bytes
    for (const text of texts) at += await writeText(this.#handle, text, at)
    if (this.#fsync) await this.#handle.datasync()
    this.#bytes = at
  }

  async #cut(): Promise<void> {
    await this.#handle.truncate(this.#bytes)
    this.#isTorn = false
  }
}

function* linesOf(entries: Iterable<LogChange>): Generator<string> {
  let held: LogChange | undefined
  for (const entry of entries) {
    if (held) yield lineOf(held, true)
    held = entry
  }
  if (held) yield lineOf(held, false)
}

/** Joins lines into texts that are long enough for one write and short enough not to block the event loop. */
export function* slicesOf(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < SLICE_CHARS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** Writes the whole text at a position, in as many system calls as needed; returns its bytes. */
async function writeText(handle: FileHandle, text: string, position: number): Promise<number> {
  const buffer = Buffer.from(text)
  let done = 0
  while (done < buffer.length) {
    done += (await handle.write(buffer, done, buffer.length - done, position + done)).bytesWritten
  }
  return buffer.length
}

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

/** Where a line is in its file: its number from 1, the offset of its first byte, and the offset after its newline. */
export type LineSpan = { line: number; start: number; end: number }

/** The first bytes of a file, as text. */
export async function readStart(path: string, bytes: number): Promise<string> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Calls back for every complete line, without its newline; returns the text after the last newline and the file's size in bytes. */
export async function readLines(
  path: string,
  onLine: (line: Buffer, place: LineSpan) => void,
): Promise<{ rest: Buffer; bytes: number }> {
  let line = 0
  let start = 0
  let offset = 0
  let rest: Buffer[] = []
  for await (const part of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const chunk: Buffer = part
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const tail = chunk.subarray(from, to)
      const end = offset + to + 1
      line += 1
      onLine(rest.length > 0 ? Buffer.concat([...rest, tail]) : tail, { line, start, end })
      rest = []
      start = end
      from = to + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    offset += chunk.length
  }
  return { rest: Buffer.concat(rest), bytes: offset }
}

/** The records that a snapshot will hold, in order. */
export type Contents = { world: string; collection: Collection; ids: string[] }[]

/**
 * The records that exist at this moment. Later records are only in the log: a record that was deleted and made again must keep
 * its place in the order of the log.
 */
export function contentsOf(data: Data): Contents {
  return [...data.worlds].flatMap(([world, records]) =>
    COLLECTIONS.map(collection => ({ world, collection, ids: [...records[collection].keys()] })),
  )
}

type Count = { records: number }

/** Writes a snapshot in slices and forces it to the disk; returns its bytes, or undefined when it was stopped. */
export async function writeSnapshot(
  path: string,
  lines: Iterable<string>,
  isStopped: () => boolean,
): Promise<number | undefined> {
  const handle = await open(path, 'w')
  try {
    let bytes = 0
    for (const text of slicesOf(lines)) {
      if (isStopped()) return undefined
      bytes += await writeText(handle, text, bytes)
    }
    await handle.sync()
    return bytes
  } finally {
    await handle.close()
  }
}

/** The lines of a snapshot. A value may be newer than the snapshot: the log then holds the same value. */
export function* snapshotLines(header: string, contents: Contents, data: Data): Generator<string> {
  yield header
  const count: Count = { records: 0 }
  for (const part of contents) yield* recordLines(part, data, count)
  yield footerOf(count.records)
}

function* recordLines(
  { world, collection, ids }: Contents[number],
  data: Data,
  count: Count,
): Generator<string> {
  for (const id of ids) {
    const value = data.worlds.get(world)?.[collection].get(id)
    if (value === undefined) continue // Deleted in the meantime; the log has the deletion.
    count.records += 1
    yield lineOf({ world, collection, id, value }, false)
  }
}
