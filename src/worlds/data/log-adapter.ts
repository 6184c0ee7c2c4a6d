import { truncate } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { asDirectoryError } from './data-directory-error.ts'
import { dataFilePath, removeOutdated, syncDirectory } from './data-files.ts'
import { type FoundLog, loadData, type RecordCheck } from './load-data.ts'
import { LogFile } from './log-file.ts'
import { entriesOf, Marks } from './marks.ts'
import { moveFile, removeFile } from './moved-file.ts'
import { type Contents, contentsOf, snapshotLines, writeSnapshot } from './snapshot-file.ts'
import type { Data } from './world-data.ts'

export type LogOptions = {
  dir: string
  fsync: boolean
  compactBytes: number
  /** Tells what was cut, and what could not be compacted. */
  warn: (message: string) => void
  /** Gives what judges the records of files that have no checksums; called only when there are such files. */
  prepareCheck: () => Promise<RecordCheck>
}

/**
 * lowdb's way to the disk: `write` appends what is marked to a log, one append for all who wait (group commit).
 * A log grown too long is followed by a new one, while a snapshot takes the place of the old ones.
 */
export class LogAdapter implements Adapter<Data> {
  readonly marks = new Marks()
  readonly #options: LogOptions
  #log: LogFile | undefined
  #generation = 1
  #olderBytes = 0
  #compactAtBytes = 0
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #compaction: Promise<void> = Promise.resolve()
  #isCompacting = false
  #isClosing = false

  constructor(options: LogOptions) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.marks.isEmpty && this.#running === undefined
  }

  /** Loads the directory and puts it in order; changes nothing unless everything in it was understood. */
  async read(): Promise<Data> {
    const { dir, prepareCheck } = this.#options
    const { data, generation, snapshotBytes, logs, isOld, hasSnapshot } = await loadData(dir, prepareCheck)
    for (const log of logs) await this.#cutTorn(log, hasSnapshot)
    await removeOutdated(dir, generation)
    // Files of an earlier version are never added to: a new log follows them, and the next snapshot replaces them.
    const last = isOld ? undefined : logs.at(-1)
    this.#generation = last?.generation ?? (logs.at(-1)?.generation ?? generation - 1) + 1
    this.#log = await this.#openLog(this.#generation, last?.goodBytes ?? 0)
    const older = last ? logs.slice(0, -1) : logs
    this.#olderBytes = older.reduce((sum, log) => sum + log.goodBytes, 0)
    this.#compactAtBytes = isOld ? 0 : this.#limit(snapshotBytes)
    return data
  }

  /** A crash may leave the beginning of a change that was never acknowledged, or a log without a line. Both are told. */
  async #cutTorn({ path, goodBytes, tornBytes }: FoundLog, hasSnapshot: boolean): Promise<void> {
    const { warn } = this.#options
    if (tornBytes > 0) {
      warn(
        `The log "${path}" ended in the middle of a change that was never acknowledged; its last ${tornBytes} bytes, from byte ${goodBytes} on, were cut off`,
      )
      await truncate(path, goodBytes)
    } else if (goodBytes === 0)
      warn(
        `The log "${path}" is empty: ${hasSnapshot ? 'the worlds are as their snapshot says' : 'no world was kept in it'}. If it held changes before, put back a copy of it while the emulator is stopped`,
      )
  }

  /** Resolves when everything marked so far is in the log; rejects, and keeps the marks, when it could not be written. */
  write(data: Data): Promise<void> {
    if (this.#next) return this.#next
    if (this.marks.isEmpty) return this.#running ?? Promise.resolve()
    this.#next = this.#group(data, this.#running)
    return this.#next
  }

  /** Writes what is left, stops a compaction and closes the log, also when the writing fails. */
  async close(data: Data): Promise<void> {
    this.#isClosing = true
    try {
      await this.write(data)
    } finally {
      await this.#compaction
      await this.#log?.close()
      this.#log = undefined
    }
  }

  async #group(data: Data, before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => undefined) // Those who waited for it have been told; its marks are in this group.
    this.#running = this.#next
    this.#next = undefined
    try {
      await this.#flush(data)
    } finally {
      this.#running = undefined
    }
  }

  async #flush(data: Data): Promise<void> {
    const log = this.#log
    if (!log) throw new Error('The database is closed.')
    const marks = this.marks.take()
    // In one tick with taking the marks: this log then holds just what the snapshot's list does.
    const contents = this.#isDue(log) ? contentsOf(data) : undefined
    try {
      await log.append(entriesOf(marks, data))
    } catch (error) {
      this.marks.putBack(marks)
      throw asDirectoryError(`Could not save to "${log.path}"`, error)
    }
    if (contents) await this.#rotate(data, log, contents)
  }

  #isDue(log: LogFile): boolean {
    return !this.#isCompacting && !this.#isClosing && this.#olderBytes + log.bytes > this.#compactAtBytes
  }

  /** Goes on in a new log and starts the snapshot that replaces the old ones. Failing here loses nothing. */
  async #rotate(data: Data, old: LogFile, contents: Contents): Promise<void> {
    try {
      this.#log = await this.#openLog(this.#generation + 1, 0)
      this.#generation += 1
      this.#olderBytes += old.bytes
      await old.close()
    } catch (error) {
      return this.#postpone(error)
    }
    this.#isCompacting = true
    this.#compaction = this.#compact(data, contents)
      .catch(error => this.#postpone(error))
      .finally(() => {
        this.#isCompacting = false
      })
  }

  async #compact(data: Data, contents: Contents): Promise<void> {
    const { dir } = this.#options
    const path = dataFilePath(dir, 'snapshot', this.#generation)
    try {
      const bytes = await writeSnapshot(`${path}.tmp`, snapshotLines(contents, data), () => this.#isClosing)
      if (bytes === undefined) return
      // Every value in the snapshot must stand in the log before the snapshot counts, or half a group could show.
      await this.write(data)
      await moveFile(`${path}.tmp`, path)
      await syncDirectory(dir)
      this.#olderBytes = 0
      this.#compactAtBytes = this.#limit(bytes)
    } finally {
      await removeFile(`${path}.tmp`)
    }
    await removeOutdated(dir, this.#generation)
  }

  #postpone(error: unknown): void {
    this.#compactAtBytes = this.#olderBytes + (this.#log?.bytes ?? 0) + this.#options.compactBytes
    const attempt = `Could not compact the data directory "${this.#options.dir}" (nothing is lost; it is tried again later)`
    this.#options.warn(asDirectoryError(attempt, error).message)
  }

  // A log may grow as long as the snapshot, so that compaction at most doubles what is written in all.
  #limit(snapshotBytes: number): number {
    return Math.max(this.#options.compactBytes, snapshotBytes)
  }

  async #openLog(generation: number, bytes: number): Promise<LogFile> {
    const { dir, fsync } = this.#options
    const log = await LogFile.open(dataFilePath(dir, 'log', generation), { fsync, bytes })
    // The file's name must survive a power cut as its lines do.
    if (fsync) await syncDirectory(dir).catch(error => log.close().then(() => Promise.reject(error)))
    return log
  }
}
