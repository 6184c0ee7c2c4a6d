import { digestOf } from '../digest-of.ts'
import type { MediaFacts, MediaKind } from '../media-facts.ts'
import { MediaFault } from '../media-fault.ts'
import type { Digest } from '../recipe.ts'
import { type Examined, hasSound, needsFfmpeg } from './examine.ts'
import { formatOfPath } from './formats.ts'
import type { Measured } from './measure.ts'

/** Where files are measured, and where the pictures lie that renderings will need. */
export interface PictureStore {
  /** Measures a file and keeps its posters, and its sound when that is asked for. Throws MediaFault. */
  examine(
    file: { bytes: Buffer; digest: Digest; want: MediaKind; keepSound?: boolean },
    signal?: AbortSignal,
  ): Promise<Examined<Digest>>
  /** Whether a picture kept earlier is still there. */
  hasKept(digest: Digest): Promise<boolean>
}

export type Prepared = Measured & Pick<MediaFacts, 'poster' | 'lastPoster' | 'sound'>

/**
 * Measures a file, refuses it when it is of another kind than the request needs, and keeps its posters.
 * `name` is a path or file name; it tells apart only what bytes do not (md from txt, xls from doc).
 * Throws MediaFault `wrong_kind` and whatever `measure` throws.
 */
export type Prepare = (bytes: Buffer, want: FileWanted, signal?: AbortSignal) => Promise<Prepared>

export interface FileWanted {
  kind: MediaKind
  name: string
  /** A rendering will carry its sound. */
  keepSound?: boolean
}

/** Facts of so many contents are remembered: a file sent again costs its digest instead of a worker's decoding (20 to 400 ms). */
const mostKnown = 256

/** Prepares inputs over a store, and remembers what it found out about the latest contents. */
export function createPrepare(store: PictureStore): Prepare {
  const known = new Map<Digest, Prepared>()

  const remember = (prepared: Prepared) => {
    const oldest = known.keys().next().value
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
    known.set(prepared.digest, prepared)
  }

  return async (bytes, want, signal) => {
    const digest = digestOf(bytes)
    const before = known.get(digest)
    if (before && (await isComplete(before, want, store)))
      return named(checkKind(before, want.kind), want.name)
    const file = { bytes, digest, want: want.kind, ...(want.keepSound && { keepSound: true }) }
    const { measured, ...kept } = await store.examine(file, signal)
    const prepared = { ...checkKind(measured, want.kind), ...kept }
    remember(prepared)
    return named(prepared, want.name)
  }
}

function checkKind<T extends Measured>(measured: T, want: MediaKind): T {
  if (measured.kind === want) return measured
  throw new MediaFault(
    'wrong_kind',
    `the file is ${measured.kind} (${measured.format}), and ${want} is needed`,
  )
}

/** Everything that a rendering will need is kept. */
async function isComplete(prepared: Prepared, want: FileWanted, store: PictureStore): Promise<boolean> {
  if (!(await hasPosters(prepared, store))) return false
  if (!want.keepSound || !hasSound(prepared)) return true
  return prepared.sound !== undefined && (await store.hasKept(prepared.sound))
}

async function hasPosters(
  { poster, lastPoster, ...measured }: Prepared,
  store: PictureStore,
): Promise<boolean> {
  if (poster === undefined) return !needsFfmpeg(measured)
  return (await store.hasKept(poster)) && (await store.hasKept(lastPoster ?? poster))
}

/** Formats that share one form of file. */
const families = [
  ['txt', 'md'],
  ['doc', 'xls', 'ppt'],
  ['pages', 'key', 'numbers'],
]

function named(prepared: Prepared, name: string): Prepared {
  const promised = formatOfPath(name)?.format
  const family = families.find(each => each.includes(prepared.format))
  return promised && family?.includes(promised) ? { ...prepared, format: promised } : { ...prepared }
}
