import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { moveFile } from '../../emulator/ground.ts'
import type { Digest } from '../render/recipe.ts'
import type { DiskCache } from './library-folder.ts'

/** A file that a worker has put into the folder of kept files. */
export interface KeptFile {
  digest: Digest
  bytes: number
}

/** A number for the names of unfinished files, unique in this process. */
let parts = 0

/** Writes a file that appears only when it is complete; until then it has a name of its own. Throws the signal's reason when aborted. */
export async function writeWhole(file: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  const part = await writePart(file, bytes)
  try {
    signal?.throwIfAborted()
    await moveFile(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The same file may arrive several times at once, for example as references of one request: each writes a part with a name of its own. */
async function writePart(file: string, bytes: Uint8Array): Promise<string> {
  const part = `${file}.${process.pid}.${++parts}.part`
  try {
    await mkdir(dirname(part), { recursive: true })
    await writeFile(part, bytes)
    return part
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** SHA-256, hex: the name of a content everywhere in the emulator. */
export function digestOf(bytes: Uint8Array): Digest {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The inputs of requests and the files made from them, kept under their digests in a disk cache, which is opened on first use. */
export function createKeptFiles(open: () => Promise<DiskCache>) {
  return {
    async keep(bytes: Buffer): Promise<Digest> {
      const digest = digestOf(bytes)
      const cache = await open()
      await writeWhole(cache.path(digest), bytes)
      await cache.add(digest, bytes.length)
      return digest
    },
    async read(digest: Digest): Promise<Buffer | undefined> {
      try {
        const cache = await open()
        return (await cache.has(digest)) ? await readFile(cache.path(digest)) : undefined
      } catch {
        // Removed with a cleaned temporary folder: renderings work without it.
        return undefined
      }
    },
    has: async (digest: Digest) => (await open()).has(digest),
    /** Adds a file that a worker has put into the folder. */
    async enter({ digest, bytes }: KeptFile): Promise<Digest> {
      await (await open()).add(digest, bytes)
      return digest
    },
    /** Calls `use` with the path of a file with these bytes, which is removed afterwards unless it is kept. */
    async onDisk<T>(
      { bytes, digest }: { bytes: Buffer; digest: Digest },
      use: (path: string) => Promise<T>,
    ): Promise<T> {
      const cache = await open()
      if (await cache.has(digest)) return await use(cache.path(digest))
      const part = await writePart(cache.path(digest), bytes)
      try {
        return await use(part)
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}
