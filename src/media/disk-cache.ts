import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder of files with a size limit: above it, the files unused for longest are removed. */
export interface DiskCache {
  /** Absolute. */
  folder: string
  path(name: string): string
  /** Whether a file exists; a call counts as use. */
  has(name: string): Promise<boolean>
  /** Adds a file of the folder, or marks it as used; then removes other files until the rest fits. */
  add(name: string, bytes: number): Promise<void>
  /** Makes room on a full disk: removes all files but the latest few. Returns how many it removed. */
  evict(): Promise<number>
}

/** These files are kept even above the limit: a request may be about to open a file that was just found or made. */
const fewestKept = 16
/** As few as a full disk leaves room for. */
const fewestKeptWhenFull = 4

/** A cache over a folder. `files` are the files in it, the one unused for longest first. */
export function createDiskCache(
  folder: string,
  files: readonly { name: string; bytes: number }[],
  maxBytes: number,
): DiskCache {
  // In order of use.
  const sizes = new Map(files.map(({ name, bytes }) => [name, bytes]))
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const path = (name: string) => join(folder, name)

  const use = (name: string, bytes: number) => {
    total += bytes - (sizes.get(name) ?? 0)
    sizes.delete(name)
    sizes.set(name, bytes)
  }

  const removeUntil = async (isEnough: () => boolean) => {
    let removed = 0
    for (const [oldest, size] of sizes) {
      if (isEnough()) break
      sizes.delete(oldest)
      total -= size
      removed++
      await rm(path(oldest), { force: true })
    }
    return removed
  }

  return {
    folder,
    path,
    async has(name) {
      const bytes = sizes.get(name)
      if (bytes === undefined) return false
      use(name, bytes)
      return await isThere(path(name))
    },
    async add(name, bytes) {
      use(name, bytes)
      await removeUntil(() => total <= maxBytes || sizes.size <= fewestKept)
    },
    evict: () => removeUntil(() => sizes.size <= fewestKeptWhenFull),
  }
}

/** A program that cleans temporary folders may have removed a file. */
function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
