import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { moveFile } from '../worlds/data/moved-file.ts'
import { digestOf } from './digest-of.ts'
import type { Digest } from './recipe.ts'
import type { Shelf } from './shelf.ts'
import type { KeptFile } from './workers/job.ts'

/** What requests bring along, and what is made of it, kept under its digest. */
export interface KeptFiles {
  keep(bytes: Buffer): Promise<Digest>
  read(digest: Digest): Promise<Buffer | undefined>
  has(digest: Digest): Promise<boolean>
  /** Enters what a worker has put into the folder. */
  enter(file: KeptFile): Promise<Digest>
  /** Hands `use` the path of a file with these bytes, which goes afterwards unless they are kept. */
  onDisk<T>(file: { bytes: Buffer; digest: Digest }, use: (path: string) => Promise<T>): Promise<T>
}

/** Kept files on a shelf, which is opened on first use. */
export function createKeptFiles(open: () => Promise<Shelf>): KeptFiles {
  let parts = 0

  /** One content may arrive several times at once, as the references of one request do. */
  const writePart = async (shelf: Shelf, digest: Digest, bytes: Buffer) => {
    const part = `${shelf.path(digest)}.${process.pid}.${++parts}.part`
    await mkdir(dirname(part), { recursive: true })
    await writeFile(part, bytes).catch(async error => {
      await rm(part, { force: true })
      throw error
    })
    return part
  }

  return {
    async keep(bytes) {
      const digest = digestOf(bytes)
      const shelf = await open()
      await moveFile(await writePart(shelf, digest, bytes), shelf.path(digest))
      await shelf.add(digest, bytes.length)
      return digest
    },
    async read(digest) {
      try {
        const shelf = await open()
        return (await shelf.has(digest)) ? await readFile(shelf.path(digest)) : undefined
      } catch {
        // Gone with a cleaned temporary folder: renderings do without it.
        return undefined
      }
    },
    has: async digest => (await open()).has(digest),
    async enter({ digest, bytes }) {
      await (await open()).add(digest, bytes)
      return digest
    },
    async onDisk({ bytes, digest }, use) {
      const shelf = await open()
      if (await shelf.has(digest)) return await use(shelf.path(digest))
      const part = await writePart(shelf, digest, bytes)
      try {
        return await use(part)
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}
