import { open, readFile, rm, stat } from 'node:fs/promises'
import type { Transfer } from '../../emulator/ground.ts'
import { needsFfmpeg, withFiles } from '../inputs/examine.ts'
import { sniff } from '../inputs/formats.ts'
import type { PictureStore } from '../inputs/prepare-input.ts'
import { createAhead, createDemand, type Demand, demanded } from '../render/ahead.ts'
import {
  type Digest,
  type DrawnRecipe,
  type ImageInput,
  keptFilesOf,
  type PosterRecipe,
  type Recipe,
  recipeEnding,
  recipeKey,
} from '../render/recipe.ts'
import type { Tool } from '../render/tools.ts'
import type { DecomposeOrder, Layer } from '../workers/job.ts'
import type { WorkerPool } from '../workers/pool.ts'
import { once } from './gate.ts'
import { createKeptFiles } from './kept-files.ts'
import { type LibraryFolder, openLibraryFolder, removeParts } from './library-folder.ts'

/** Keeps the inputs of requests and the files that are rendered for them. */
export interface Library extends PictureStore {
  /** The path of a recipe's file, which is rendered now when it does not exist; a recipe is rendered once at a time. */
  file(recipe: Recipe): Promise<string>
  /** The bytes of a recipe's file; a file that was deleted is rendered again. */
  read(recipe: Recipe): Promise<Buffer>
  /** Reads files for sending; the latest small ones are in memory. */
  files: WarmFiles
  /**
   * Renders a file early, when there is no other work, at low priority until a request waits for it. Never throws: an error is
   * reported to the later request for the file.
   */
  ahead(recipe: () => Recipe): void
  /** Keeps bytes under their digest. */
  keep(bytes: Buffer): Promise<Digest>
  kept(digest: Digest): Promise<Buffer | undefined>
  /** Splits an input into layers, and keeps base and layers. The same picture and order give the same bytes. */
  takeApart(input: ImageInput, order: DecomposeOrder): Promise<TakenApart>
  /** How many files were rendered so far. */
  renders(): number
  /** The number of running jobs (rendering, examining, storing) and of those that wait for a worker. */
  underWay(): number
  /** Stops renders and, unless there is a data directory, deletes the folder. */
  close(): Promise<void>
}

/** The parts of a picture: its base and, in z order, its layers, each kept under its digest. */
interface TakenApart {
  base: Digest
  layers: (Layer & { content: Digest })[]
}

interface LibraryOptions {
  /** The folder whose files stay after the process; absent = a temporary folder, which is removed at the end. */
  dir?: string
  maxBytes: number
  /** Does the work; closed with the library. */
  pool: WorkerPool
  /** The ffmpeg to use. */
  findFfmpeg(): Promise<Tool>
}

/** A library over a folder, which is made on first use. */
export function createLibrary({ dir, maxBytes, pool, findFfmpeg }: LibraryOptions): Library {
  const stopping = new AbortController()
  const stopped = new Promise<never>((_, reject) =>
    stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason)),
  )
  stopped.catch(() => undefined)
  const rendering = new Map<string, { file: Promise<string>; demand: Demand }>()
  const underWay = new Set<Promise<unknown>>()
  const answer = once(findFfmpeg)
  /** Does not wait longer than the library is open for a program that hangs. */
  const ffmpeg = () => Promise.race([answer(), stopped])
  let opening: Promise<LibraryFolder> | undefined
  let renders = 0

  const folder = once(() => {
    opening = openLibraryFolder(dir, maxBytes)
    return opening
  })
  const home = async () => {
    stopping.signal.throwIfAborted()
    return await folder()
  }
  const inputs = async () => (await home()).inputs
  const keptFiles = createKeptFiles(inputs)

  /** Work that writes files. On a full disk, rendered files make room, which can be rendered again, else inputs; then it is done once more. */
  const withRoom = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      const { rendered, inputs } = await home()
      if ((await rendered.evict()) === 0 && (await inputs.evict()) === 0) throw error
    }
    return await work()
  }

  /** Closing the library waits for this work. */
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const over = work.finally(() => underWay.delete(over))
    underWay.add(over)
    return over
  }

  const render = async (recipe: DrawnRecipe, name: string, demand: Demand) => {
    const { rendered, inputs } = await home()
    const file = rendered.path(name)
    if (demand.isThere()) pool.warm()
    // A call of `has` counts as use, so that the files still exist when the worker reads them.
    for (const digest of keptFilesOf(recipe)) await inputs.has(digest)
    const tool = isEncoded(recipe) ? { ffmpeg: await ffmpeg() } : {}
    const poster = recipe.kind === 'video' && nameOf({ kind: 'poster', of: recipe })
    const small = poster ? { poster: rendered.path(poster) } : {}
    const job = { kind: 'render', recipe, file, kept: inputs.folder, ...tool, ...small } as const
    await withRoom(() => pool.run(job, undefined, demand))
    renders++
    await rendered.add(name, (await stat(file)).size)
    if (poster) await rendered.add(poster, (await stat(rendered.path(poster))).size)
    return file
  }

  /** Renders the file of this name, or joins the rendering that runs already: two would write the same file. */
  const started = (name: string, demand: Demand, work: () => Promise<string>): Promise<string> => {
    const running = rendering.get(name)
    if (running) {
      demand.whenThere(running.demand.come)
      return running.file
    }
    const begun = work().finally(() => rendering.delete(name))
    rendering.set(name, { file: begun, demand })
    return begun
  }

  /** The poster of a video is rendered with it; that of a picture is made from the picture's file. */
  const renderPoster = async ({ of }: PosterRecipe, name: string, demand: Demand) => {
    const from = await fileFor(of, demand)
    const { rendered } = await home()
    const path = rendered.path(name)
    if (of.kind !== 'video') {
      await withRoom(() => pool.run({ kind: 'shrink', from, file: path }, undefined, demand))
      await rendered.add(name, (await stat(path)).size)
    } else if (!(await rendered.has(name)))
      await started(nameOf(of), demand, () => render(of, nameOf(of), demand))
    return path
  }
  const make = (recipe: Recipe, name: string, demand: Demand) =>
    recipe.kind === 'poster' ? renderPoster(recipe, name, demand) : render(recipe, name, demand)

  const fileFor = async (recipe: Recipe, demand: Demand): Promise<string> => {
    const name = nameOf(recipe)
    const { rendered } = await home()
    if (await rendered.has(name)) return rendered.path(name)
    return started(name, demand, () => make(recipe, name, demand))
  }
  const file = (recipe: Recipe) => fileFor(recipe, demanded)
  const ahead = createAhead(recipe => fileFor(recipe, createDemand()))

  return {
    file,
    read: async recipe =>
      readFile(await file(recipe)).catch(async error => {
        if (error.code !== 'ENOENT') throw error
        return readFile(await file(recipe))
      }),
    files: createWarmFiles(),
    kept: keptFiles.read,
    hasKept: keptFiles.has,
    renders: () => renders,
    underWay: () => rendering.size + underWay.size,
    ahead: ahead.add,
    keep: bytes => tracked(withRoom(() => keptFiles.keep(bytes))),
    examine: ({ want, keepSound, ...given }, signal) =>
      tracked(
        withRoom(() =>
          keptFiles.onDisk(given, async path => {
            const { folder } = await inputs()
            const found = sniff(given.bytes)
            const tool = found && (keepSound || needsFfmpeg(found)) ? { ffmpeg: (await ffmpeg()).path } : {}
            const job = {
              kind: 'examine',
              file: path,
              digest: given.digest,
              want,
              kept: folder,
              ...(keepSound && { keepSound }),
              ...tool,
            } as const
            return withFiles(await pool.run(job, signal), keptFiles.enter)
          }),
        ),
      ),
    takeApart: (input, order) =>
      tracked(
        (async () => {
          const { folder } = await inputs()
          const { base, layers } = await withRoom(() =>
            pool.run({ kind: 'take_apart', input, order, kept: folder }),
          )
          const kept: TakenApart = { base: await keptFiles.enter(base), layers: [] }
          for (const { file, ...layer } of layers)
            kept.layers.push({ ...layer, content: await keptFiles.enter(file) })
          return kept
        })(),
      ),
    async close() {
      stopping.abort()
      ahead.stop()
      await pool.close()
      await Promise.allSettled([...[...rendering.values()].map(({ file }) => file), ...underWay])
      // When the folder could not be opened, nothing needs to be deleted.
      const opened = await opening?.catch(() => undefined)
      if (opened && dir) await removeParts(opened.path)
      else if (opened) await rm(opened.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code))
}

function nameOf(recipe: Recipe): string {
  return `${recipeKey(recipe)}.${recipeEnding(recipe)}`
}

function isEncoded(recipe: Recipe): boolean {
  return recipe.kind === 'video' || (recipe.kind === 'sound' && recipe.format === 'mp3')
}

type WarmFiles = ReturnType<typeof createWarmFiles>

const largestBytes = 2 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024

/**
 * Result files never change under their name, so the latest small ones are kept in memory: a player asks for a file in many
 * ranges, and each saves opening, reading and closing it.
 */
function createWarmFiles() {
  const warm = new Map<string, Buffer>()
  let bytesKept = 0

  const keep = (path: string, whole: Buffer) => {
    if (warm.has(path)) return
    warm.set(path, whole)
    bytesKept += whole.length
    for (const [oldest, bytes] of warm) {
      if (bytesKept <= mostBytes) return
      warm.delete(oldest)
      bytesKept -= bytes.length
    }
  }

  return {
    /** The size of a file in bytes. */
    sizeOf: async (path: string) => warm.get(path)?.length ?? (await stat(path)).size,
    /** The bytes of a file from `start` to `end`, both included; undefined when the file is too large for memory and must be streamed. */
    async partOf(path: string, start: number, end: number): Promise<Buffer | undefined> {
      const known = warm.get(path)
      const whole = known ?? (await readWhole(path))
      if (whole && !known) keep(path, whole)
      return whole?.subarray(start, end + 1)
    },
  }
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return size > largestBytes ? undefined : await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Large files are streamed in chunks of this size. */
const chunkBytes = 256 * 1024

/** The bytes of a transfer, in memory or as an open stream; undefined when it has none. Rejects when the file cannot be read. */
export async function openTransfer(
  { file, start, end }: Transfer,
  files: WarmFiles,
): Promise<Buffer | AsyncIterable<Buffer> | undefined> {
  if (end < start) return undefined
  const part = await files.partOf(file, start, end)
  if (part) return part
  const handle = await open(file)
  return handle.createReadStream({ start, end, highWaterMark: chunkBytes })
}
