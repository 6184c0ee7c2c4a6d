import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { realTime } from '../../emulator/ground.ts'

/** A library's folder. */
export type LibraryFolder = Awaited<ReturnType<typeof openLibraryFolder>>

/**
 * The name of a temporary folder holds its machine and its process. Containers that share a folder for
 * temporary files have different machine names, and cannot see each other's processes.
 */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const nameOfFolder = /^gateway-emulator-([0-9a-f]{8})-(\d+)-/
/** A folder of another machine may be removed when nothing was written to it for this long. Wall ms. */
const forgottenMs = 24 * 3_600_000

/** Opens the media folder of a data directory, or a temporary one that is named for this process. Each cache may have `maxBytes`. */
export async function openLibraryFolder(dir: string | undefined, maxBytes: number) {
  const path = dir ? resolve(dir, 'media') : await temporaryFolder()
  return {
    path,
    /** The inputs of requests, by digest. */
    inputs: await openDiskCache(join(path, 'inputs'), maxBytes),
    /** Rendered files, by the key of their recipe. */
    rendered: await openDiskCache(join(path, 'rendered'), maxBytes),
  }
}

async function openDiskCache(folder: string, maxBytes: number): Promise<DiskCache> {
  await mkdir(folder, { recursive: true })
  const files: { name: string; bytes: number; usedAt: number }[] = []
  await removeParts(folder)
  for (const name of await readdir(folder)) {
    const { size, mtimeMs } = await stat(join(folder, name))
    files.push({ name, bytes: size, usedAt: mtimeMs })
  }
  files.sort((a, b) => a.usedAt - b.usedAt)
  return createDiskCache(folder, files, maxBytes)
}

/** Removes what workers had begun to write when they were ended. */
export async function removeParts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names.filter(name => name.endsWith('.part')).map(name => rm(join(folder, name), { force: true })),
  )
}

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `gateway-emulator-${machine}-${process.pid}-`))
  await sweep().catch(() => {
    // An entry that cannot be read or deleted belongs to another user.
  })
  return path
}

/** Deletes the folders of killed processes, which could not delete them. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, owner, pid] = nameOfFolder.exec(name) ?? []
    if (owner === undefined) continue
    const folder = join(tmpdir(), name)
    if (owner === machine ? !isAlive(Number(pid)) : await isForgotten(folder))
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

async function isForgotten(folder: string): Promise<boolean> {
  return (await lastChange(folder)) < realTime.wallNow() - forgottenMs
}

/** When a file was last written to a library's folder, epoch ms. */
async function lastChange(folder: string): Promise<number> {
  const changes = ['.', 'inputs', 'rendered'].map(part =>
    stat(join(folder, part)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  )
  return Math.max(...(await Promise.all(changes)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is running too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export type DiskCache = ReturnType<typeof createDiskCache>

/** These files are kept even above the limit: a request may be about to open a file that was just found or made. */
const fewestKept = 16
/** As few as a full disk leaves room for. */
const fewestKeptWhenFull = 4

/** A folder of files with a size limit: above it, the files unused for longest are removed. `files` are in it already, in order of use. */
export function createDiskCache(
  folder: string,
  files: readonly { name: string; bytes: number }[],
  maxBytes: number,
) {
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
    /** Absolute. */
    folder,
    path,
    /** Whether a file exists; a call counts as use. */
    async has(name: string): Promise<boolean> {
      const bytes = sizes.get(name)
      if (bytes === undefined) return false
      use(name, bytes)
      return await isThere(path(name))
    },
    /** Adds a file of the folder, or marks it as used; then removes other files until the rest fits. */
    async add(name: string, bytes: number): Promise<void> {
      use(name, bytes)
      await removeUntil(() => total <= maxBytes || sizes.size <= fewestKept)
    },
    /** Makes room on a full disk: removes all files but the latest few. Returns how many it removed. */
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

/**
 * Why no file can be made in a folder, in the words of the system; undefined when one can. It makes a folder there and removes it,
 * since permissions do not tell of a read-only file system.
 */
function writingFault(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(join(folder, 'gateway-emulator-')))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Where the files of results and inputs go: a folder of a data directory, else one for temporary files. */
export function mediaPlace(data: string | undefined): { folder: string; fault: string | undefined } {
  if (data === undefined) return { folder: tmpdir(), fault: writingFault(tmpdir()) }
  const folder = resolve(data)
  let known = folder
  // A data directory is made at the start, with the folders above it.
  while (!existsSync(known)) known = dirname(known)
  return { folder, fault: writingFault(known) }
}

/** Throws when no temporary file can be written: every result would be a 500. The message says what to do. */
export function checkTemporaryFolder(instead: string): void {
  const { folder, fault } = mediaPlace(undefined)
  if (fault === undefined) return
  throw new Error(
    `No file can be made in the folder for temporary files, ${folder} (${fault}): set TMPDIR to a folder that can be written, mount one there (docker run --tmpfs /tmp)${instead}`,
  )
}
