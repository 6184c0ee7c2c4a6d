import { open } from 'node:fs/promises'
import { slicesOf, writeText } from './log-file.ts'
import { footerOf, lineOf } from './log-format.ts'
import { COLLECTIONS, type Collection, type Data } from './world-data.ts'

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
