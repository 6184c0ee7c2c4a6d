import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { createGate, type Gate } from './gate.ts'
import { type LibraryFolder, openLibraryFolder } from './library-folder.ts'
import { once } from './once.ts'
import { type Digest, type Recipe, recipeEnding, recipeKey } from './recipe.ts'

/** Keeps what requests bring along and what is rendered for them. */
export interface Library {
  /** The path of a recipe's file, rendering it now if need be; one render at a time a recipe. */
  file(recipe: Recipe): Promise<string>
  /** Renders ahead of need, when nothing else is going on. Never throws: whoever asks for the file later hears of a fault. */
  ahead(recipe: () => Recipe): void
  /** Keeps bytes under their digest. */
  keep(bytes: Buffer): Promise<Digest>
  kept(digest: Digest): Promise<Buffer | undefined>
  hasKept(digest: Digest): Promise<boolean>
  /** How many files were rendered so far. */
  renders(): number
  /** Stops renders and, unless there is a data directory, takes everything away. */
  close(): Promise<void>
}

export interface LibraryOptions {
  /** Where files outlive the process; absent = a temporary folder that goes with it. */
  dir?: string
  maxBytes: number
  ffmpegPath?: string
}

const aheadMost = 64
/** Rendering ahead waits for this much quiet, so that a burst of creates is not slowed by it. Wall ms. */
const quietMs = 40

/** A library over a folder, which is made on first use. */
export function createLibrary(options: LibraryOptions): Library {
  const stopping = new AbortController()
  const gate: Gate = createGate(Math.min(2, availableParallelism()))
  const rendering = new Map<string, Promise<string>>()
  const keeping = new Set<Promise<Digest>>()
  const waiting: (() => Recipe)[] = []
  let timer: NodeJS.Timeout | undefined
  let isRenderingAhead = false
  let opening: Promise<LibraryFolder> | undefined
  let parts = 0
  let renders = 0

  const folder = once(() => {
    opening = openLibraryFolder(options.dir, options.maxBytes)
    return opening
  })
  const home = async () => {
    stopping.signal.throwIfAborted()
    return await folder()
  }

  const render = async (recipe: Recipe, name: string) => {
    const { rendered } = await home()
    const file = rendered.path(name)
    await mkdir(dirname(file), { recursive: true })
    await gate.run(async () => {
      stopping.signal.throwIfAborted()
      const { renderRecipe } = await import('./render-recipe.ts')
      const sources = {
        picture: kept,
        signal: stopping.signal,
        ...(options.ffmpegPath && { ffmpegPath: options.ffmpegPath }),
      }
      await renderRecipe(recipe, sources, file)
    })
    renders++
    await rendered.add(name, (await stat(file)).size)
    return file
  }

  const file = async (recipe: Recipe): Promise<string> => {
    const name = `${recipeKey(recipe)}.${recipeEnding(recipe)}`
    const { rendered } = await home()
    if (await rendered.has(name)) return rendered.path(name)
    const running = rendering.get(name)
    if (running) return running
    const started = render(recipe, name).finally(() => rendering.delete(name))
    rendering.set(name, started)
    return started
  }

  const renderNext = () => {
    const next = waiting.shift()
    if (!next || isRenderingAhead || stopping.signal.aborted) return
    isRenderingAhead = true
    const proceed = () => {
      isRenderingAhead = false
      schedule()
    }
    file(next()).then(proceed, proceed)
  }
  const schedule = () => {
    if (waiting.length === 0 || isRenderingAhead || stopping.signal.aborted) return
    // A timer set anew costs less than a new one, and a burst of creates sets it thousands of times.
    if (timer) timer.refresh()
    else timer = setTimeout(renderNext, quietMs).unref()
  }

  const kept = async (digest: Digest) => {
    try {
      const { inputs } = await home()
      return (await inputs.has(digest)) ? await readFile(inputs.path(digest)) : undefined
    } catch {
      // Gone with a cleaned temporary folder: renderings do without it.
      return undefined
    }
  }

  const keep = async (bytes: Buffer): Promise<Digest> => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    const { inputs } = await home()
    const target = inputs.path(digest)
    await mkdir(dirname(target), { recursive: true })
    // One content may arrive several times at once, as the references of one request do.
    const part = `${target}.${process.pid}.${++parts}.part`
    try {
      await writeFile(part, bytes)
      await rename(part, target)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    await inputs.add(digest, bytes.length)
    return digest
  }

  return {
    file,
    kept,
    renders: () => renders,
    hasKept: async digest => (await home()).inputs.has(digest),
    ahead(recipe) {
      waiting.push(recipe)
      if (waiting.length > aheadMost) waiting.shift()
      schedule()
    },
    keep(bytes) {
      const kept = keep(bytes).finally(() => keeping.delete(kept))
      keeping.add(kept)
      return kept
    },
    async close() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.allSettled([...rendering.values(), ...keeping])
      // One that could not be opened left nothing to take away.
      const opened = await opening?.catch(() => undefined)
      if (opened && !options.dir) await rm(opened.path, { recursive: true, force: true })
    },
  }
}
