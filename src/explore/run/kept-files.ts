import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskView } from '../../client/types.ts'
import type { WorldClient } from '../../client/world.ts'

/** A result that a program downloaded, whole or in part. */
export interface Served {
  /** Its path on the emulator, without a query. */
  path: string
  bytes: Buffer
}

/** What a state folder holds of downloaded results. Names are paths in the folder. */
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

/** Compares the files of a state folder with downloaded results; undefined when the folder holds too many. */
export async function keptFiles(folder: string, served: readonly Served[]): Promise<KeptFiles | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  if (names.length > mostFiles) return undefined
  const whole = new Map<string, string>()
  const begun = new Map<string, { bytes: number; of: number }>()
  const others = new Map<string, number>()
  for (const name of names) {
    const path = join(folder, name)
    const about = await stat(path).catch(() => undefined)
    if (!about?.isFile()) continue
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

/** The results with these paths. Reading them here counts as no download, and works when the link has expired. */
export async function servedFiles(
  { id, baseUrl }: Pick<WorldClient, 'id' | 'baseUrl'>,
  tasks: readonly TaskView[],
  paths: readonly string[],
): Promise<Served[]> {
  const files = tasks.flatMap(task =>
    task.media.map(async ({ name, url }) => {
      const path = url === null ? '' : new URL(url).pathname
      if (!paths.includes(path)) return undefined
      const place = ['worlds', id, 'tasks', task.id, 'media', name].map(encodeURIComponent).join('/')
      const reply = await fetch(`${baseUrl}/__emulator/${place}`)
      return reply.ok ? { path, bytes: Buffer.from(await reply.arrayBuffer()) } : undefined
    }),
  )
  return (await Promise.all(files)).filter(file => file !== undefined)
}
