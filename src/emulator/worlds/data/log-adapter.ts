import { truncate } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { asDirectoryError, moveFile, removeFile } from './file-system.ts'
import { dataFilePath, type FoundLog, loadData, removeOutdated, syncDirectory } from './load-data.ts'
import { type Contents, contentsOf, LogFile, snapshotLines, writeSnapshot } from './log-file.ts'
import { headerLine, type LogChange } from './log-format.ts'
import { newestHeader, type RecordRules } from './record-rules.ts'
import type { Collection, Data } from './world-data.ts'

/** A change that is not yet on disk. `wasGone`: the record was deleted in between, so that setting it again gives it a new place. */
type Mark =
  | {
      kind: 'record'
      world: string
      collection: Collection
      id: string
      wasGone: boolean
      isPresent: boolean
    }
  | { kind: 'dropped'; world: string }

/** Marks taken for one group, in the order in which they must reach the log. */
type TakenMarks = ReadonlyMap<string, Mark>

/** The records that changed since the last group, each once, in an order that restores the order of every Map. */
class Marks {
  #marks = new Map<string, Mark>()

  get isEmpty(): boolean {
    return this.#marks.size === 0
  }

  changed(data: Data, world: string, collection: Collection, id: string): void {
    const isPresent = data.worlds.get(world)?.[collection].has(id) ?? false
    this.#add({ kind: 'record', world, collection, id, wasGone: !isPresent, isPresent })
  }

  dropped(world: string): void {
    this.#add({ kind: 'dropped', world })
  }

  take(): TakenMarks {
    const taken = this.#marks
    this.#marks = new Map()
    return taken
  }

  /** Puts the marks of a failed write before the newer marks. */
  putBack(taken: TakenMarks): void {
    const since = this.#marks
    this.#marks = new Map(taken)
    for (const mark of since.values()) this.#add(mark)
  }

  #add(mark: Mark): void {
    const key = keyOf(mark)
    const earlier = this.#marks.get(key)
    if (mark.kind === 'dropped') this.#forget(mark.world)
    else if (earlier?.kind === 'record') {
      if (!mark.wasGone && earlier.isPresent) return // A plain update keeps the place of the first change.
      this.#marks.delete(key)
      this.#marks.set(key, { ...mark, wasGone: true })
      return
    }
    this.#marks.set(key, mark)
  }

  #forget(world: string): void {
    for (const [key, mark] of this.#marks) if (mark.world === world) this.#marks.delete(key)
  }
}

// With the length, two worlds with odd names cannot have the same key.
function keyOf(mark: Mark): string {
  const world = `${mark.world.length}:${mark.world}`
  return mark.kind === 'dropped' ? world : `${world}:${mark.collection}:${mark.id}`
}

/** The lines of a group of marks. Values are read only now, so that a record that changed twice is written once. */
function* entriesOf(marks: TakenMarks, data: Data): Generator<LogChange> {
  for (const mark of marks.values()) {
    const { world } = mark
    if (mark.kind === 'dropped') {
      yield { world, dropped: true }
      continue
    }
    const { collection, id } = mark
    const value = data.worlds.get(world)?.[collection].get(id)
    if (mark.wasGone || value === undefined) yield { world, collection, id, deleted: true }
    if (value !== undefined) yield { world, collection, id, value }
  }
}

export type LogOptions = {
  dir: string
  fsync: boolean
  compactBytes: number
  /** Reports bytes that were cut off, and a directory that could not be compacted. */
  warn: (message: string) => void
  /** Checks and migrates records. */
  rules: RecordRules
}

/**
 * The lowdb adapter for the disk: `write` appends the marked records to a log, with one append for all waiting commits (group
 * commit). When a log gets too long, a new log is started, and a snapshot replaces the old ones.
 */
export class LogAdapter implements Adapter<Data> {
  readonly marks = new Marks()
  readonly #options: LogOptions
  readonly #header: string
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
    this.#header = headerLine(newestHeader(options.rules))
  }

  get isIdle(): boolean {
    return this.marks.isEmpty && this.#running === undefined
  }

  /** Loads the directory and repairs its end; changes nothing unless every file could be read. */
  async read(): Promise<Data> {
    const { dir, rules } = this.#options
    const { data, generation, snapshotBytes, logs, isOld, hasSnapshot } = await loadData(dir, rules)
    for (const log of logs) await this.#cutTorn(log, hasSnapshot)
    await removeOutdated(dir, generation)
    // Nothing is appended to files of an earlier version: a new log follows them, and the next snapshot replaces them.
    const last = isOld ? undefined : logs.at(-1)
    this.#generation = last?.generation ?? (logs.at(-1)?.generation ?? generation - 1) + 1
    this.#log = await this.#openLog(this.#generation, last?.goodBytes ?? 0)
    const older = last ? logs.slice(0, -1) : logs
    this.#olderBytes = older.reduce((sum, log) => sum + log.goodBytes, 0)
    this.#compactAtBytes = isOld ? 0 : this.#limit(snapshotBytes)
    return data
  }

  /** A crash may leave a part of a change that was never acknowledged, or a log without a line. Both are reported. */
  async #cutTorn({ path, goodBytes, tornBytes }: FoundLog, hasSnapshot: boolean): Promise<void> {
    const { warn } = this.#options
    if (tornBytes > 0) {
      warn(
        `The log "${path}" ended in the middle of a change that was never acknowledged; its last ${tornBytes} bytes, from byte ${goodBytes} on, were cut off`,
      )
      await truncate(path, goodBytes)
    } else if (goodBytes === 0)
      warn(
        `The log "${path}" is empty: ${hasSnapshot ? 'the worlds are as in their snapshot' : 'it holds no world'}. If it held changes before, put back a copy of it while the emulator is stopped`,
      )
  }

  /** Resolves when all records marked so far are in the log; rejects, and keeps the marks, when they could not be written. */
  write(data: Data): Promise<void> {
    if (this.#next) return this.#next
    if (this.marks.isEmpty) return this.#running ?? Promise.resolve()
    this.#next = this.#group(data, this.#running)
    return this.#next
  }

  /** Writes the remaining marks, stops a compaction and closes the log, also when writing fails. */
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
    await before?.catch(() => undefined) // The commits that waited for it were rejected; its marks are in this group.
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
    // In the same tick in which the marks are taken: then the log and the snapshot's list hold the same records.
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

  /** Continues in a new log and starts the snapshot that replaces the old ones. A failure here loses no data. */
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
      const bytes = await writeSnapshot(
        `${path}.tmp`,
        snapshotLines(this.#header, contents, data),
        () => this.#isClosing,
      )
      if (bytes === undefined) return
      // Every value of the snapshot must be in the log before the snapshot becomes valid; otherwise half a group could appear.
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
    const attempt = `Could not compact the data directory "${this.#options.dir}" (nothing is lost; the emulator tries again later)`
    this.#options.warn(asDirectoryError(attempt, error).message)
  }

  // A log may grow to the size of the snapshot, so that compaction at most doubles the bytes written.
  #limit(snapshotBytes: number): number {
    return Math.max(this.#options.compactBytes, snapshotBytes)
  }

  async #openLog(generation: number, bytes: number): Promise<LogFile> {
    const { dir, fsync } = this.#options
    const path = dataFilePath(dir, 'log', generation)
    const log = await LogFile.open(path, { fsync, bytes, header: this.#header })
    // The file's name must survive a power cut, as its lines do.
    if (fsync) await syncDirectory(dir).catch(error => log.close().then(() => Promise.reject(error)))
    return log
  }
}
