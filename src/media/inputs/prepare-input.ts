import type { MediaFacts, MediaKind } from '../../emulator/ground.ts'
import { digestOf } from '../files/kept-files.ts'
import type { Digest } from '../render/recipe.ts'
import { InputError } from './errors.ts'
import { type Examined, hasSound, needsFfmpeg } from './examine.ts'
import { formatOfPath } from './formats.ts'
import type { Measured } from './measure-tracks.ts'

/** Measures files, and keeps the pictures that renderings need. */
export interface PictureStore {
  /** Measures a file and keeps its posters, and its sound when requested. Throws InputError. */
  examine(
    file: { bytes: Buffer; digest: Digest; want: MediaKind; keepSound?: boolean },
    signal?: AbortSignal,
  ): Promise<Examined<Digest>>
  /** Whether a kept picture still exists. */
  hasKept(digest: Digest): Promise<boolean>
}

export type Prepared = Measured & Pick<MediaFacts, 'poster' | 'lastPoster' | 'sound'>

/**
 * Measures a file, refuses it when it is of another kind than the request needs, and keeps its posters.
 * `name` is a path or file name; it decides only between formats that the bytes do not distinguish (md and
 * txt, xls and doc). Throws InputError `wrong_kind` and the errors of `measure`.
 */
export type Prepare = (bytes: Buffer, want: FileWanted, signal?: AbortSignal) => Promise<Prepared>

interface FileWanted {
  kind: MediaKind
  name: string
  /** True when a rendering will use its sound. */
  keepSound?: boolean
}

/** The facts of this many files are cached: for a file that is sent again, only its digest is computed, and no worker decodes it (20 to 400 ms). */
const mostKnown = 256

/** Prepares inputs with a store, and caches the facts about the latest files. */
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
  throw new InputError(
    'wrong_kind',
    `the file is ${measured.kind} (${measured.format}), and ${want} is needed`,
  )
}

/** Whether everything that a rendering will need is still kept. */
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

/** Groups of formats that the bytes do not distinguish. */
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
