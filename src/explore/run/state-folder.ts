import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packagePath } from '../../emulator/ground.ts'
import { UsageError } from '../../emulator/options.ts'
import { installedCommand } from '../../emulator/words.ts'

/** Where programs keep what they remember. */
export interface States {
  /** A folder as it was before the first run, for one case with all its lives. */
  open(): Promise<StateFolder>
  /** Puts the user's own folder back; it may be opened again. */
  end?(): Promise<void>
}

/** The folder in which the program of one case keeps what it remembers. */
interface StateFolder {
  path: string
  close(): Promise<void>
}

/** A new and empty folder for each case, which is removed after it. */
export const emptyStates: States = {
  async open() {
    const path = await mkdtemp(join(tmpdir(), 'gateway-emulator-state-'))
    return { path, close: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
  },
}

const mostBytes = 1024 ** 3

/**
 * A folder that the program always uses. It is copied before the first run and put back before each case and at the end. The copy lies
 * beside it, with a marker, so that it is found when this process is killed. The folder need not exist: then there is none after
 * each case. Throws UsageError for a folder that must not be cleared, for one above 1 GB, and when an earlier exploration left a copy.
 */
export async function keptState(given: string): Promise<States> {
  const folder = await checkedFolder(given)
  const copy = copyOf(folder)
  await checkNoCopy(folder, copy)
  let isCopied = false
  return {
    async open() {
      if (isCopied) await putBack(folder, copy)
      else await makeCopy(folder, copy)
      isCopied = true
      return { path: folder, close: async () => {} }
    },
    async end() {
      if (!isCopied) return
      await putBack(folder, copy)
      await dropCopy(copy)
      isCopied = false
    },
  }
}

/** Until its last step the folder is as it was, and there is no copy. Throws UsageError when it cannot be copied. */
async function makeCopy(folder: string, copy: string): Promise<void> {
  await checkNoCopy(folder, copy)
  const making = `${copy}-incomplete`
  try {
    await rm(making, { recursive: true, force: true })
    await mkdir(making)
    if (existsSync(folder)) await copied(folder, join(making, content))
    const about: Marker = { folder, pid: process.pid, made_at: new Date().toISOString() }
    await writeFile(join(making, marker), `${JSON.stringify(about, null, 2)}\n`)
    await rename(making, copy)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw new UsageError(
      `--state ${folder}: it cannot be copied: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** A copy of which a part is missing must not be taken for a whole one. */
async function dropCopy(copy: string): Promise<void> {
  const dropped = `${copy}-incomplete`
  await rm(dropped, { recursive: true, force: true })
  await rename(copy, dropped)
  await rm(dropped, { recursive: true, force: true })
}

/** Puts a folder back that an exploration left changed when it was killed. Throws UsageError when there is no copy of it. */
export async function putBackState(given: string): Promise<string> {
  const folder = await realPlace(given)
  const copy = copyOf(folder)
  const found = await markerIn(copy)
  if (!found) throw new UsageError(`--put-back: there is no copy of ${folder}: ${copy} does not exist`)
  if (isAlive(found.pid)) throw new UsageError(inUse(folder, found))
  await putBack(folder, copy)
  await dropCopy(copy)
  return folder
}

const marker = 'gateway-emulator-explore.json'
const content = 'content'

interface Marker {
  folder: string
  pid: number
  made_at: string
}

function copyOf(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.before-explore`)
}

async function markerIn(copy: string): Promise<Marker | undefined> {
  const text = await readFile(join(copy, marker), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Marker)
}

async function checkNoCopy(folder: string, copy: string): Promise<void> {
  const found = await markerIn(copy)
  if (!found) return
  if (isAlive(found.pid)) throw new UsageError(inUse(folder, found))
  throw new UsageError(
    `--state ${folder}: an exploration of ${found.made_at} was killed and left this folder changed. What it held before is in ${join(copy, content)}. Put it back with: ${installedCommand} explore --state ${folder} --put-back. To keep the folder as it is now, remove ${copy}`,
  )
}

function inUse(folder: string, { pid }: Marker): string {
  return `--state ${folder}: another exploration uses this folder now (process ${pid})`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch {
    return false
  }
}

/** The folder with all links in its path followed, whether it exists or not. */
async function realPlace(given: string): Promise<string> {
  const path = resolve(given)
  return realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  )
}

/** Throws UsageError for a folder that must not be cleared. */
async function checkedFolder(given: string): Promise<string> {
  const folder = await realPlace(given)
  const refuse = (why: string) => new UsageError(`--state ${given}: ${why}`)
  const about = await stat(folder).catch(() => undefined)
  if (about && !about.isDirectory()) throw refuse('it is a file; give the folder that holds it')
  if (!existsSync(dirname(folder))) throw refuse(`the folder ${dirname(folder)} does not exist`)
  if (dirname(folder) === folder)
    throw refuse('it is the whole disk; give a folder that only the program uses')
  for (const [what, place] of [
    ['the working directory', process.cwd()],
    ['the home folder', homedir()],
    ['the folder for temporary files', tmpdir()],
    ['the folder of Node', process.execPath],
    ['the folder of this package', packagePath('.')],
  ] as const)
    if (holds(folder, await realpath(place).catch(() => place)))
      throw refuse(
        `it is ${what} or holds it; give a folder that only the program uses, which is cleared before each case`,
      )
  if (isHome(folder)) throw refuse('it is a home folder; give a folder that only the program uses')
  if (about) await checkSize(folder, refuse)
  return folder
}

/** Homes of other users, and the places where systems keep them. */
function isHome(folder: string): boolean {
  return /^(?:\/|[A-Z]:\\|\/root|\/home|\/Users|(?:\/home|\/Users|[A-Z]:\\Users)[\\/][^\\/]+)$/.test(folder)
}

function holds(folder: string, place: string): boolean {
  const path = relative(folder, place)
  return path === '' || (!path.startsWith('..') && resolve(folder, path) === place)
}

async function checkSize(folder: string, refuse: (why: string) => UsageError): Promise<void> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true })) {
    bytes += (await lstat(join(folder, name)).catch(() => ({ size: 0 }))).size
    if (bytes > mostBytes) throw refuse('it holds more than 1 GB, which would be copied before each case')
  }
}

/** Makes a folder as it was when it was copied. */
async function putBack(folder: string, copy: string): Promise<void> {
  await cleared(folder)
  if (!existsSync(join(copy, content))) {
    await rm(folder, { recursive: true, force: true })
    return
  }
  await copied(join(copy, content), folder)
}

/** The folder itself stays, since a shell may stand in it. */
async function cleared(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(async () => {
      // Entries of a folder without the permission to write cannot be removed.
      await promisify(execFile)('chmod', ['-R', 'u+rwX', path])
      await rm(path, { recursive: true, force: true })
    })
  }
}

/** Copies what a folder holds, with links as links, permissions and moments. */
async function copied(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  if (process.platform === 'win32') {
    await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    return
  }
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}
