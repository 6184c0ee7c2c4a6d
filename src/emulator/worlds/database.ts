import { resolve } from 'node:path'
import { Low, Memory } from 'lowdb'
import { asDirectoryError, lockDirectory, makeDirectory } from './data/file-system.ts'
import { LogAdapter, type LogOptions } from './data/log-adapter.ts'
import { noRules, type RecordRules } from './data/record-rules.ts'
import type { Collection, Data, Values } from './data/world-data.ts'

export { DataDirectoryError } from './data/file-system.ts'
export { noRules, type RecordRules } from './data/record-rules.ts'
export {
  type Collection,
  type Data,
  emptyWorldData,
  firstDocumentVersion,
  type Migration,
  migratedState,
  migrations,
  type StoredRecord,
  type Values,
  type WorldData,
} from './data/world-data.ts'

const COMPACT_BYTES = 64 * 1024 * 1024

/** The state of all worlds, and its storage. Change `data` directly, then mark the changed records. */
export interface Database<V extends Values = Values> {
  readonly data: Data<V>
  /**
   * Marks a record as changed: call it in the same tick after every set in, or delete from, its Map.
   * Mark both a deletion and a new record of the same id: this keeps the order of creation.
   */
  changed(world: string, collection: Collection, id: string): void
  /** Marks a whole world as dropped: call it after removing the world from `data.worlds` and before adding a new one. */
  dropped(world: string): void
  /**
   * Resolves when all records marked so far are on disk; undefined when there is nothing to wait for.
   * Rejects with DataDirectoryError when they could not be written: the changes stay in memory and marked, and
   * each later commit tries again.
   */
  commit(): Promise<void> | undefined
  /** Writes the marked records, then unlocks the directory; rejects when the last write failed. */
  close(): Promise<void>
}

/** `fsync`: changes survive a power cut too. `compactBytes`: the size of the log at which a snapshot replaces it. */
export type DirectoryOptions<V extends Values = Values> = Pick<LogOptions, 'dir'> &
  Partial<Omit<LogOptions, 'rules'>> & { rules?: RecordRules<V> }

/** A database in memory, which ends with the process. Marking and committing do nothing. */
export function openMemory<V extends Values = Values>(): Database<V> {
  const low = new Low<Data<V>>(new Memory<Data<V>>(), { worlds: new Map() })
  return {
    data: low.data,
    changed() {},
    dropped() {},
    commit: () => undefined,
    close: () => Promise.resolve(),
  }
}

/**
 * A database in a directory, which is made when it is missing. One process at a time can use it.
 * Throws DataDirectoryError, and changes no data file, when the directory cannot be used or its files cannot be read.
 */
export async function openDirectory<V extends Values = Values>(
  options: DirectoryOptions<V>,
): Promise<Database<V>> {
  const { dir } = options
  try {
    await makeDirectory(resolve(dir))
    const unlock = lockDirectory(dir)
    return await openLocked<V>(options, unlock).catch(error => {
      unlock()
      throw error
    })
  } catch (error) {
    throw asDirectoryError(`Cannot use the data directory "${dir}"`, error)
  }
}

async function openLocked<V extends Values>(
  {
    dir,
    fsync = false,
    compactBytes = COMPACT_BYTES,
    warn = message => process.emitWarning(message),
    rules = noRules as RecordRules<V>,
  }: DirectoryOptions<V>,
  unlock: () => void,
): Promise<Database<V>> {
  const adapter = new LogAdapter({ dir, fsync, compactBytes, warn, rules: rules as RecordRules })
  const low = new Low<Data>(adapter, { worlds: new Map() })
  await low.read()
  const { data } = low
  let closing: Promise<void> | undefined
  return {
    // The rules have just shown that every value has the shape of its kind.
    data: data as Data<V>,
    changed: (world, collection, id) => adapter.marks.changed(data, world, collection, id),
    dropped: world => adapter.marks.dropped(world),
    commit: () => (adapter.isIdle ? undefined : low.write()),
    close() {
      closing ??= adapter.close(data).finally(unlock)
      return closing
    },
  }
}
