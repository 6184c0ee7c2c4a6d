import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFile } from './file-system.ts'

const NAME = /^(log|snapshot)-(\d{6,})\.ndjson(\.tmp)?$/

/** A data file's kind and generation. Snapshot g holds the content of all logs before log g. */
export type DataFile = { kind: 'log' | 'snapshot'; generation: number; isUnfinished: boolean; path: string }

export function dataFilePath(dir: string, kind: DataFile['kind'], generation: number): string {
  return join(dir, `${kind}-${String(generation).padStart(6, '0')}.ndjson`)
}

/** The data files of a directory, oldest first. Other files in it do not belong to the emulator. */
export async function listDataFiles(dir: string): Promise<DataFile[]> {
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
