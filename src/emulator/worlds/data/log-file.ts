import { type FileHandle, open } from 'node:fs/promises'
import { type LogChange, lineOf } from './log-format.ts'

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
export async function writeText(handle: FileHandle, text: string, position: number): Promise<number> {
  const buffer = Buffer.from(text)
  let done = 0
  while (done < buffer.length) {
    done += (await handle.write(buffer, done, buffer.length - done, position + done)).bytesWritten
  }
  return buffer.length
}
