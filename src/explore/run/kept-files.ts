import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { askEmulator } from '../../emulator/gateway.ts'
import type { WorldClient } from '../../kits/client.ts'
import type { TaskView } from '../../kits/views.ts'
import { pathOf, resultsOf } from '../judge/results.ts'
import { requestsOf } from '../plan/observe.ts'

/** A result that a program downloaded, whole or in part, or that stood in a reply. */
interface Served {
  /** Its path on the emulator, without a query; of a picture in a reply, its place in the control API. */
  path: string
  bytes: Buffer
}

/** What a folder holds of downloaded results. Names are paths in the folder. */
export interface KeptFiles {
  /** Names of whole files, with the path on the emulator. */
  whole: ReadonlyMap<string, string>
  /** Names of files that hold only the first bytes of a result, with both sizes. */
  begun: ReadonlyMap<string, { bytes: number; of: number }>
  /** All other files, with their sizes. */
  others: ReadonlyMap<string, number>
}

/** A folder of records and results has fewer files. Of a larger one nothing is claimed. */
const mostFiles = 5000

interface Choice {
  /** Leaves out what was written before this moment, wall epoch ms. */
  sinceMs?: number
  /** Leaves out folders of tools and of installed packages. */
  isWorkingFolder?: boolean
}

const ofTools = /^(?:\..*|node_modules|__pycache__|venv|vendor|target)$/

/** The names of the files in a folder, as paths in it; undefined when it holds too many. */
async function namesIn(folder: string, { isWorkingFolder = false }: Choice): Promise<string[] | undefined> {
  const found: string[] = []
  const folders = ['']
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (isWorkingFolder && ofTools.test(entry.name)) continue
      const name = join(at, entry.name)
      if (entry.isDirectory()) folders.push(name)
      else found.push(name)
    }
    if (found.length + folders.length > mostFiles) return undefined
  }
  return found
}

/** Compares the files of a folder with downloaded results, which are read when there are files; undefined when the folder holds too many. */
export async function keptFiles(
  folder: string,
  read: () => Promise<readonly Served[]>,
  choice: Choice = {},
): Promise<KeptFiles | undefined> {
  const names = await namesIn(folder, choice)
  if (!names) return undefined
  const served = names.length === 0 ? [] : await read()
  const whole = new Map<string, string>()
  const begun = new Map<string, { bytes: number; of: number }>()
  const others = new Map<string, number>()
  for (const name of names) {
    const path = join(folder, name)
    const about = await stat(path).catch(() => undefined)
    if (!about?.isFile() || about.mtimeMs < (choice.sinceMs ?? 0)) continue
    const found = await sourceOf(path, about.size, served)
    if (found === undefined) others.set(name, about.size)
    else if (found.bytes.length === about.size) whole.set(name, found.path)
    else begun.set(name, { bytes: about.size, of: found.bytes.length })
  }
  return { whole, begun, others }
}

const headBytes = 1024

/** The file with whose bytes this one begins. */
async function sourceOf(path: string, size: number, served: readonly Served[]): Promise<Served | undefined> {
  const longer = size === 0 ? [] : served.filter(({ bytes }) => bytes.length >= size)
  if (longer.length === 0) return undefined
  const head = await headOf(path)
  const alike = longer.filter(({ bytes }) => bytes.subarray(0, head.length).equals(head))
  if (alike.length === 0) return undefined
  const all = await readFile(path).catch(() => undefined)
  return all && alike.find(({ bytes }) => bytes.subarray(0, all.length).equals(all))
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Where the undisturbed program leaves its results as files. */
export type KeptPlace =
  | { kind: 'state'; files: KeptFiles }
  /** All runs share this folder: a run of which it is looked at goes alone. */
  | { kind: 'working'; files: KeptFiles; turns: Turns }

/** The state folder of a run that just ended, else the working folder, when results lie there; undefined when they lie in neither. */
export async function keptPlace(
  { world, state }: { world: WorldClient; state?: string },
  { folder, sinceMs }: { folder: string; sinceMs: number },
): Promise<KeptPlace | undefined> {
  if (state === undefined) return undefined
  const served = await downloadedFiles(world)
  if (served.length === 0) return undefined
  const read = async () => served
  const own = await keptFiles(state, read)
  if (own && own.whole.size > 0) return { kind: 'state', files: own }
  const files = await keptFiles(folder, read, { sinceMs, isWorkingFolder: true })
  return files && files.whole.size > 0 ? { kind: 'working', files, turns: inTurns() } : undefined
}

/** The files that were downloaded in a world up to now, whole or in part, and the pictures that stood in replies. */
export async function downloadedFiles(world: WorldClient): Promise<Served[]> {
  const [requests, tasks] = await Promise.all([requestsOf(world), world.tasks.list()])
  const { fetched, broken, given } = resultsOf({ requests, tasks, settled: 0 })
  return servedFiles(world, tasks, { paths: [...fetched, ...broken.map(pathOf)], given })
}

/** The results with these paths, or of these tasks. Reading them here counts as no download, and works when the link has expired. */
async function servedFiles(
  { id, baseUrl }: Pick<WorldClient, 'id' | 'baseUrl'>,
  tasks: readonly TaskView[],
  { paths, given }: { paths: readonly string[]; given: readonly string[] },
): Promise<Served[]> {
  const files = tasks.flatMap(task =>
    task.media.map(async ({ name, url }) => {
      const place = ['worlds', id, 'tasks', task.id, 'media', name].map(encodeURIComponent).join('/')
      const path = url === null ? place : new URL(url).pathname
      if (!paths.includes(path) && !given.includes(task.id)) return undefined
      const reply = await askEmulator(`${baseUrl}/__emulator/${place}`)
      return reply.ok ? { path, bytes: Buffer.from(await reply.arrayBuffer()) } : undefined
    }),
  )
  return (await Promise.all(files)).filter(file => file !== undefined)
}

/** Lets runs go beside each other, but for those that go alone. */
interface Turns {
  /** Runs at once, or after those that go alone and were asked for before. */
  beside<T>(work: () => Promise<T>): Promise<T>
  /** Runs when all that were asked for before are over; later ones wait for it. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** Nobody's turn has come. */
export function inTurns(): Turns {
  let lastAlone: Promise<unknown> = Promise.resolve()
  const running = new Set<Promise<unknown>>()
  const over = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      () => undefined,
    )
  return {
    beside(work) {
      const done = lastAlone.then(work)
      const ended = over(done)
      running.add(ended)
      void ended.then(() => running.delete(ended))
      return done
    },
    alone(work) {
      const done = Promise.all([lastAlone, ...running]).then(work)
      lastAlone = over(done)
      return done
    },
  }
}
